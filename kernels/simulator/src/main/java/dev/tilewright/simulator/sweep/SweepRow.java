package dev.tilewright.simulator.sweep;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import org.jspecify.annotations.Nullable;

/**
 * One config of a sweep.
 *
 * @param piece number of the study that tried it, counted from 1 in the order of the header
 * @param time {@code null} unless it completed with a time
 * @param registers of a thread as the assembler reported them; {@code null} if it did not
 */
public record SweepRow(
        Config config,
        int piece,
        TrialOutcome outcome,
        @Nullable Time time,
        @Nullable Integer registers) {

    /**
     * The sustained measurement of its screen.
     *
     * @param medianNs of one launch
     * @param lowNs lower end of the 95 % interval; {@code null} if there were too few blocks for one
     * @param highNs its upper end, likewise
     * @param clockMhz SM clock; {@code null} if it could not be read
     * @param anchorRatio speed of the config over that of the anchor kernel in the same blocks; {@code null} if there
     *     was none
     */
    public record Time(
            double medianNs,
            @Nullable Double lowNs,
            @Nullable Double highNs,
            @Nullable Double clockMhz,
            @Nullable Double anchorRatio) {

        public Time {
            if (!(medianNs > 0)) {
                throw new IllegalArgumentException("a median must be above 0 ns, got " + medianNs);
            }
        }
    }
}
