package dev.tilewright.model.trial;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Summary of timed runs of one kernel. What rate its duration means, the problem says.
 *
 * @param mode whether L2 was warm
 * @param stage how much evidence this rests on
 * @param blocks number of runs, each between two events; the interval is over these, never over launches
 * @param launches number of launches in all blocks together
 * @param medianNs median over blocks of the duration of one launch, in nanoseconds
 * @param ciLowNs lower end of the 95 % interval of the median; {@code null} if there are too few blocks or it is
 *     simulated
 * @param ciHighNs upper end, likewise
 * @param smClockMhz median SM clock during the runs; {@code null} if it was not read
 * @param powerWatts median power that the GPU drew during the runs, likewise
 * @param temperatureCelsius median temperature of the chip during the runs, likewise
 * @param ratioToAnchor how much faster it is than the anchor kernel of its study, timed in the same blocks;
 *     {@code null} if none ran beside it
 */
public record Measurement(
        Mode mode,
        Stage stage,
        int blocks,
        int launches,
        double medianNs,
        @Nullable Double ciLowNs,
        @Nullable Double ciHighNs,
        @Nullable Double smClockMhz,
        @Nullable Double powerWatts,
        @Nullable Double temperatureCelsius,
        @Nullable Ratio ratioToAnchor) {

    /** Of which nothing but the clock was read, and beside which nothing ran. */
    public Measurement(
            Mode mode,
            Stage stage,
            int blocks,
            int launches,
            double medianNs,
            @Nullable Double ciLowNs,
            @Nullable Double ciHighNs,
            @Nullable Double smClockMhz) {
        this(mode, stage, blocks, launches, medianNs, ciLowNs, ciHighNs, smClockMhz, null, null, null);
    }

    public Measurement {
        if (!(medianNs > 0)) {
            throw new IllegalArgumentException("medianNs must be positive, got " + medianNs);
        }
        if (blocks < 1 || launches < blocks) {
            throw new IllegalArgumentException("a measurement needs at least one block and one launch a block, got "
                    + blocks + " and " + launches);
        }
    }

    /** The one of a mode with the most evidence behind it, the newest where there are two. */
    public static Optional<Measurement> last(List<Measurement> measurements, Mode mode) {
        return measurements.stream()
                .filter(measurement -> measurement.mode() == mode)
                .reduce((last, next) -> next.stage().compareTo(last.stage()) >= 0 ? next : last);
    }
}
