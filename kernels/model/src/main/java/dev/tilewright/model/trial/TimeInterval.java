package dev.tilewright.model.trial;

import org.jspecify.annotations.Nullable;

/**
 * A median time with its 95 % interval, in nanoseconds.
 *
 * @param lowNs {@code null} if there were too few blocks, or it is a prediction; as is {@code highNs}
 */
public record TimeInterval(
        double medianNs, @Nullable Double lowNs, @Nullable Double highNs) {

    /** Smaller differences of predictions are rounded to nothing where they are written. */
    private static final double VISIBLE = 0.0005;

    /** Whether two times cannot be told apart: intervals that meet; of predictions, which have none, equal ones. */
    public boolean ties(TimeInterval other) {
        if (lowNs == null || highNs == null || other.lowNs() == null || other.highNs() == null) {
            return Math.abs(medianNs / other.medianNs() - 1) < VISIBLE;
        }
        return lowNs <= other.highNs() && other.lowNs() <= highNs;
    }
}
