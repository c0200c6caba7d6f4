package dev.tilewright.gate.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Mean of one number per block with Student's bounds, wider where neighbouring blocks resemble each other.
 *
 * @param mean of the blocks
 * @param deviation standard deviation of a block, with B - 1 in the divisor
 * @param blocks how many, B
 * @param effectiveBlocks how many independent blocks these are worth: B (1 - r) / (1 + r) with the lag-1
 *     autocorrelation r if that is positive, at least 2
 */
public record BlockMean(double mean, double deviation, int blocks, double effectiveBlocks) {

    /** In fewer blocks an autocorrelation cannot be told from chance; it is taken as zero. */
    public static final int LEAST_BLOCKS_FOR_AUTOCORRELATION = 10;

    private static final double LEAST_EFFECTIVE_BLOCKS = 2;

    /** How sure one wants to be to see an effect. */
    private static final double POWER = 0.9;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    /**
     * The mean of a sample, in the order in which the blocks were run.
     *
     * @throws IllegalArgumentException if there are fewer than 2 blocks
     */
    public static BlockMean of(double... blocks) {
        if (blocks.length < 2) {
            throw new IllegalArgumentException("an interval needs at least 2 blocks, got " + blocks.length);
        }
        double mean = Arrays.stream(blocks).average().orElseThrow();
        double squares = Arrays.stream(blocks).map(y -> (y - mean) * (y - mean)).sum();
        return new BlockMean(
                mean, Math.sqrt(squares / (blocks.length - 1)), blocks.length, effectiveBlocks(blocks, mean, squares));
    }

    private static double effectiveBlocks(double[] blocks, double mean, double squares) {
        if (blocks.length < LEAST_BLOCKS_FOR_AUTOCORRELATION || squares == 0) {
            return blocks.length;
        }
        double r = Math.max(0, Autocorrelation.lagged(blocks, mean) / squares);
        return Math.max(LEAST_EFFECTIVE_BLOCKS, blocks.length * (1 - r) / (1 + r));
    }

    /** Standard deviation of the mean. */
    public double standardError() {
        return deviation / Math.sqrt(effectiveBlocks);
    }

    /** The bound that the true mean is below with this probability only. */
    public double low(double error) {
        return mean - quantile(error) * standardError();
    }

    /** The bound that the true mean is above with this probability only. */
    public double high(double error) {
        return mean + quantile(error) * standardError();
    }

    /** An effect that a bound with this error tells from zero in nine of ten samples like this one. */
    public double detectable(double error) {
        return (quantile(error) + quantile(1 - POWER)) * standardError();
    }

    /** The value that Student's variable exceeds with this probability. */
    private double quantile(double error) {
        if (!(error > 0 && error < 1)) {
            throw new IllegalArgumentException("the error of a bound must be in 0..1, got " + error);
        }
        return student().inverseSurvivalProbability(error);
    }

    /**
     * How far above a value the mean is, as the standard normal variable with the same probability: Student's variable
     * without its long tails. Infinite where the blocks do not vary.
     */
    public double normalDistance(double value) {
        if (mean == value) {
            return 0;
        }
        double distance = (mean - value) / standardError();
        double far = NORMAL.inverseSurvivalProbability(student().survivalProbability(Math.abs(distance)));
        return Math.copySign(far, distance);
    }

    private TDistribution student() {
        return TDistribution.of(effectiveBlocks - 1);
    }
}
