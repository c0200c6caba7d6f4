package dev.tilewright.worker.gpu.stats;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.model.trial.Ratio;
import java.util.Arrays;

/** The durations of two arms in the same blocks, as y = ln(time of the second / time of the first) of each block. */
public final class PairedBlocks {

    private static final double CONFIDENCE = 0.95;

    private final double[] logRatios;

    private PairedBlocks(double[] logRatios) {
        this.logRatios = logRatios;
    }

    /**
     * Pairs durations.
     *
     * @param first of the first arm, one for each block, in the order of the blocks
     * @param second of the second arm in the same blocks
     * @throws IllegalArgumentException if the numbers of blocks differ or are below 2, or a duration is not positive
     */
    public static PairedBlocks of(double[] first, double[] second) {
        if (first.length != second.length || first.length < BlockSummary.LEAST_BLOCKS) {
            throw new IllegalArgumentException("a comparison needs at least " + BlockSummary.LEAST_BLOCKS
                    + " blocks with both arms, got " + first.length + " and " + second.length);
        }
        double[] logRatios = BlockSummary.Logarithms.of(second);
        double[] own = BlockSummary.Logarithms.of(first);
        for (int block = 0; block < logRatios.length; block++) {
            logRatios[block] -= own[block];
        }
        return new PairedBlocks(logRatios);
    }

    /** The log-ratio of each block, in their order. */
    public double[] logRatios() {
        return logRatios.clone();
    }

    /** How much faster the first is than the second, with the 95 % interval. */
    public Ratio ratio() {
        return ratio((1 - CONFIDENCE) / 2, (1 - CONFIDENCE) / 2);
    }

    /** The same with an interval whose lower and upper bounds have errors of their own. */
    public Ratio ratio(double below, double above) {
        BlockMean mean = BlockMean.of(logRatios);
        return new Ratio(
                Math.exp(mean.mean()), Math.exp(mean.low(below)), Math.exp(mean.high(above)), logRatios.length);
    }

    @Override
    public String toString() {
        return Arrays.toString(logRatios);
    }
}
