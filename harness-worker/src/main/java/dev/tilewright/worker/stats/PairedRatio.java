package dev.tilewright.worker.stats;

import dev.tilewright.model.trial.Ratio;

/** How much faster one arm is than another, from blocks in which both ran. */
public final class PairedRatio {

    private static final double CONFIDENCE = 0.95;

    private PairedRatio() {}

    /**
     * Geometric mean over blocks of the other's duration over this one's, with the 95 % Student interval of the mean
     * logarithm.
     *
     * @param own durations of this arm, one for each block, in the order of the blocks
     * @param other durations of the other arm in the same blocks
     * @throws IllegalArgumentException if the numbers of blocks differ or are below 3, or a duration is not positive
     */
    public static Ratio of(double[] own, double[] other) {
        if (own.length != other.length || own.length < BlockSummary.LEAST_BLOCKS) {
            throw new IllegalArgumentException("a ratio needs at least " + BlockSummary.LEAST_BLOCKS
                    + " blocks with both arms, got " + own.length + " and " + other.length);
        }
        double[] difference = BlockSummary.Logarithms.of(other);
        double[] ownLogarithms = BlockSummary.Logarithms.of(own);
        for (int block = 0; block < difference.length; block++) {
            difference[block] -= ownLogarithms[block];
        }
        MeanInterval interval = MeanInterval.of(difference, CONFIDENCE);
        return new Ratio(Math.exp(interval.mean()), Math.exp(interval.low()), Math.exp(interval.high()), own.length);
    }
}
