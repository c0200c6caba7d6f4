package dev.tilewright.worker.gpu.stats;

import java.util.Optional;

/**
 * How much slower the second arm is than the first, from paired blocks. All but p are logarithms: {@code exp} of them
 * is a ratio of times, and for small ones they are shares of the time.
 *
 * @param median of the blocks
 * @param mean of the blocks, the estimate that the bounds are of
 * @param hodgesLehmann a centre that outliers hardly move
 * @param low one-sided lower bound at alpha; with {@code high} an interval of confidence 1 - 2 alpha
 * @param high one-sided upper bound at alpha
 * @param p of the sign-flip permutation, two-sided
 * @param order what the order within a block does; empty if all blocks had the same one
 * @param leastDetectable an effect that would be seen at alpha in 90 % of measurements like this one
 */
public record Effect(
        double median,
        double mean,
        double hodgesLehmann,
        double low,
        double high,
        double p,
        Optional<OrderEffect> order,
        double leastDetectable) {

    /** How sure one wants to be to see an effect. */
    private static final double POWER = 0.9;

    /**
     * Everything about the effect.
     *
     * @param blocks in the order in which they were run
     * @param secondFirst whether the second arm ran first, for each block
     * @param alpha error of each one-sided bound, such as 0.01
     * @param seed of the permutation test
     */
    public static Effect of(PairedBlocks blocks, boolean[] secondFirst, double alpha, long seed) {
        double[] logRatios = blocks.logRatios();
        MeanInterval interval = MeanInterval.of(logRatios, 1 - 2 * alpha);
        double effective = interval.effectiveBlocks();
        double quantiles = MeanInterval.quantile(alpha, effective) + MeanInterval.quantile(1 - POWER, effective);
        return new Effect(
                Quantiles.median(logRatios),
                interval.mean(),
                HodgesLehmann.centre(logRatios),
                interval.low(),
                interval.high(),
                SignFlip.twoSided(logRatios, seed),
                OrderEffect.of(logRatios, secondFirst),
                quantiles * interval.deviation() / Math.sqrt(effective));
    }

    /** The estimate in percent: 1 means that the second takes 1 % longer. */
    double percent() {
        return 100 * Math.expm1(mean);
    }
}
