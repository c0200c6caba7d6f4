package dev.tilewright.worker.gpu.stats;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.gate.statistics.Quantiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Median of the durations of some blocks with its 95 % interval.
 *
 * <p>The interval is that of the mean of the logarithms, which for errors that are as likely to be above as below is
 * that of the median; an order-statistics interval would need six blocks. Where an outlier pulls it off the median, it
 * is widened to reach the median.
 *
 * @param median in the unit of the durations
 * @param low lower end of the interval; {@code null} of one block
 * @param high upper end, likewise
 */
public record BlockSummary(
        double median, @Nullable Double low, @Nullable Double high) {

    /** Fewer blocks have no interval; of two it is wide. */
    public static final int LEAST_BLOCKS = 2;

    /** Of each side. */
    private static final double ERROR = 0.025;

    /**
     * Sums up durations, one for each block, in the order in which they were run.
     *
     * @throws IllegalArgumentException if there is none, or one is not positive
     */
    public static BlockSummary of(double... durations) {
        double median = Quantiles.median(durations);
        double[] logarithms = Logarithms.of(durations);
        if (durations.length < LEAST_BLOCKS) {
            return new BlockSummary(median, null, null);
        }
        BlockMean mean = BlockMean.of(logarithms);
        return new BlockSummary(
                median, Math.min(median, Math.exp(mean.low(ERROR))), Math.max(median, Math.exp(mean.high(ERROR))));
    }

    /** Logarithms of durations. */
    static final class Logarithms {
        private Logarithms() {}

        static double[] of(double[] durations) {
            for (double duration : durations) {
                if (!(duration > 0)) {
                    throw new IllegalArgumentException("durations are positive, got " + Arrays.toString(durations));
                }
            }
            return Arrays.stream(durations).map(Math::log).toArray();
        }
    }
}
