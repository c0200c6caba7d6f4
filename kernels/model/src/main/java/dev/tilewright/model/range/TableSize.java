package dev.tilewright.model.range;

import java.util.Optional;

/** How many kernels a table for a range of M may have. */
public final class TableSize {

    /** The limit of a table for which none is given. */
    public static final int USUAL = 8;

    public static final int MOST = 32;

    private TableSize() {}

    /** The rule that a number of kernels breaks; empty if it keeps it. */
    public static Optional<String> fault(int kernels) {
        return kernels >= 1 && kernels <= MOST
                ? Optional.empty()
                : Optional.of("must be from 1 to " + MOST + " kernels, got " + kernels);
    }
}
