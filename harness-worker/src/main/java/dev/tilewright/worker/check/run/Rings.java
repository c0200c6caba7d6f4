package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.Statistics;
import java.util.List;

/**
 * How often the mbarriers of a kernel were gone through.
 *
 * @param used each barrier that completed a phase
 * @param unused names of those that were initialised and completed none
 */
public record Rings(List<Wraps> used, List<String> unused) {
    /** Phases of each barrier that a proof needs: with parities of one bit, two look like none. */
    public static final int NEEDED = 3;

    /**
     * A barrier, in all CTAs.
     *
     * @param barrier region and index as the entry declares them, or the address
     * @param phases completed, in the CTA with the fewest of those that completed any
     */
    public record Wraps(String barrier, int phases) {}

    public Rings {
        used = List.copyOf(used);
        unused = List.copyOf(unused);
    }
}
