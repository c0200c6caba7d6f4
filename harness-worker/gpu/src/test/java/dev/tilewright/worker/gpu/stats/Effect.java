package dev.tilewright.worker.gpu.stats;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.gate.statistics.HodgesLehmann;
import dev.tilewright.gate.statistics.OrderEffect;
import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.gate.statistics.SignFlip;
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
        BlockMean mean = BlockMean.of(logRatios);
        return new Effect(
                Quantiles.median(logRatios),
                mean.mean(),
                HodgesLehmann.centre(logRatios),
                mean.low(alpha),
                mean.high(alpha),
                SignFlip.twoSided(logRatios, seed),
                OrderEffect.of(logRatios, secondFirst),
                mean.detectable(alpha));
    }

    /** The estimate in percent: 1 means that the second takes 1 % longer. */
    double percent() {
        return 100 * Math.expm1(mean);
    }
}
