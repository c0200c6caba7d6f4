package dev.tilewright.testing;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The part of a cover or a long table that a run tests: the same part each time, or all of it with {@code --full}. */
public final class Selection {

    /** {@code -Dtest.arguments=-Ddraws.seed=N}. */
    private static final String SEED = "draws.seed";

    private static final long EACH_RUN = 2026;

    private Selection() {}

    /**
     * Some of all, in their order; all of them with {@code --full}.
     *
     * @param count how many are drawn
     */
    public static <T> List<T> of(Collection<T> all, int count) {
        return isFull() ? List.copyOf(all) : new Draw(seed()).some(all, count);
    }

    static boolean isFull() {
        return !System.getProperty("excluded.test.groups", "full").contains("full");
    }

    /** The seed of this run: the same in each, or the one that was given. */
    public static long seed() {
        return given().orElse(EACH_RUN);
    }

    static Optional<Long> given() {
        return Optional.ofNullable(Long.getLong(SEED));
    }
}
