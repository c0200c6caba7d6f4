package dev.tilewright.gate.statistics;

import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * Bounds of Clopper and Pearson for the share of a thing that was seen so often in independent trials. Each is
 * one-sided: the truth is beyond it with at most the error that was asked for.
 *
 * @param share that was seen
 * @param low the truth is not below
 * @param high the truth is not above
 */
public record ShareBounds(double share, double low, double high) {

    /** @throws IllegalArgumentException if there was no trial, or more were seen than tried */
    public static ShareBounds of(int seen, int trials, double error) {
        if (trials < 1 || seen < 0 || seen > trials) {
            throw new IllegalArgumentException("a share is of at least one trial, got " + seen + " of " + trials);
        }
        return new ShareBounds(
                seen / (double) trials,
                seen == 0 ? 0 : BetaDistribution.of(seen, trials - seen + 1.0).inverseCumulativeProbability(error),
                seen == trials
                        ? 1
                        : BetaDistribution.of(seen + 1.0, trials - seen).inverseSurvivalProbability(error));
    }
}
