package dev.tilewright.worker.gpu.stats.race;

import java.util.Locale;

/**
 * By how much an arm is behind another: logarithms of the ratio of their times.
 *
 * @param estimate from the mean over the turns
 * @param low one-sided lower bound
 * @param high one-sided upper bound
 */
public record Behind(double estimate, double low, double high) {

    /** Such as {@code 8.1 % behind a, interval [5.4, 10.9] %}. */
    public String against(String leader) {
        return String.format(
                Locale.ROOT,
                "%.1f %% behind %s, interval [%.1f, %.1f] %%",
                percent(estimate),
                leader,
                percent(low),
                percent(high));
    }

    private static double percent(double logarithm) {
        return 100 * Math.expm1(logarithm);
    }
}
