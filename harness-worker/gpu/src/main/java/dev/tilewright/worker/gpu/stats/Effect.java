package dev.tilewright.worker.gpu.stats;

import java.util.Optional;

/**
 * How much slower the second arm is than the first, from paired blocks. All but the counts and p are logarithms:
 * {@code exp} of them is a ratio of times, and for small ones they are shares of the time.
 *
 * @param blocks how many
 * @param effectiveBlocks how many independent blocks they are worth
 * @param median of the blocks
 * @param mean of the blocks, the estimate that the bounds are of
 * @param hodgesLehmann a centre that outliers hardly move
 * @param deviation standard deviation of a block
 * @param standardError standard deviation of the mean
 * @param alpha error of each bound by itself
 * @param low one-sided lower bound at alpha; with {@code high} an interval of confidence 1 - 2 alpha
 * @param high one-sided upper bound at alpha
 * @param p of the sign-flip permutation, two-sided
 * @param order what the order within a block does; empty if all blocks had the same one
 * @param leastDetectable an effect that would be seen at alpha in 90 % of measurements like this one
 */
public record Effect(
        int blocks,
        double effectiveBlocks,
        double median,
        double mean,
        double hodgesLehmann,
        double deviation,
        double standardError,
        double alpha,
        double low,
        double high,
        double p,
        Optional<OrderEffect> order,
        double leastDetectable) {

    /** The estimate in percent: 1 means that the second takes 1 % longer. */
    public double percent() {
        return 100 * Math.expm1(mean);
    }
}
