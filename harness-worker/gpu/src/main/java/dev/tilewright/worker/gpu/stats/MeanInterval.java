package dev.tilewright.worker.gpu.stats;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Mean of one number per block with a two-sided Student interval, widened where neighbouring blocks resemble each
 * other.
 *
 * @param mean of the blocks
 * @param low lower end of the interval
 * @param high upper end
 * @param effectiveBlocks how many independent blocks these are worth: B (1 - r) / (1 + r) with the lag-1
 *     autocorrelation r if that is positive, at least 2
 * @param deviation standard deviation of a block, with B - 1 in the divisor
 */
public record MeanInterval(double mean, double low, double high, double effectiveBlocks, double deviation) {

    /** In fewer blocks an autocorrelation cannot be told from chance; it is taken as zero. */
    public static final int LEAST_BLOCKS_FOR_AUTOCORRELATION = 10;

    private static final double LEAST_EFFECTIVE_BLOCKS = 2;

    /**
     * The interval of a sample, in the order in which the blocks were run.
     *
     * @param confidence such as 0.95
     * @throws IllegalArgumentException if there are fewer than 2 blocks, or the confidence is outside 0..1
     */
    public static MeanInterval of(double[] blocks, double confidence) {
        if (blocks.length < 2) {
            throw new IllegalArgumentException("an interval needs at least 2 blocks, got " + blocks.length);
        }
        if (!(confidence > 0 && confidence < 1)) {
            throw new IllegalArgumentException("confidence must be in 0..1, got " + confidence);
        }
        double mean = Arrays.stream(blocks).average().orElseThrow();
        double squares = Arrays.stream(blocks).map(y -> (y - mean) * (y - mean)).sum();
        double effective = effectiveBlocks(blocks, mean, squares);
        double deviation = Math.sqrt(squares / (blocks.length - 1));
        double half = quantile((1 - confidence) / 2, effective) * deviation / Math.sqrt(effective);
        return new MeanInterval(mean, mean - half, mean + half, effective, deviation);
    }

    /** The value that Student's variable exceeds with a given probability, for a number of blocks. */
    static double quantile(double probability, double effectiveBlocks) {
        return TDistribution.of(effectiveBlocks - 1).inverseSurvivalProbability(probability);
    }

    private static double effectiveBlocks(double[] blocks, double mean, double squares) {
        if (blocks.length < LEAST_BLOCKS_FOR_AUTOCORRELATION || squares == 0) {
            return blocks.length;
        }
        double lagged = 0;
        for (int i = 1; i < blocks.length; i++) {
            lagged += (blocks[i] - mean) * (blocks[i - 1] - mean);
        }
        double r = Math.max(0, lagged / squares);
        return Math.max(LEAST_EFFECTIVE_BLOCKS, blocks.length * (1 - r) / (1 + r));
    }
}
