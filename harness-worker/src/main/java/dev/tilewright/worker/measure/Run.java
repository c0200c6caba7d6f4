package dev.tilewright.worker.measure;

import java.util.OptionalDouble;

/**
 * Some launches of one arm, timed on the device.
 *
 * @param launches how many
 * @param launchNs duration of one launch, in nanoseconds
 * @param smClockMhz median SM clock while they ran; empty if it cannot be read
 * @param throttleReasons all reasons seen while they ran, as bits; 0 if they cannot be read
 */
public record Run(int launches, double launchNs, OptionalDouble smClockMhz, long throttleReasons) {

    /**
     * Reasons that make a run worthless: hardware slowdown, software and hardware thermal slowdown, power brake. The
     * power cap (0x4) is how a GPU at factory clocks works.
     */
    private static final long INVALIDATING = 0x8 | 0x20 | 0x40 | 0x80;

    public Run {
        if (launches < 1 || !(launchNs > 0)) {
            throw new IllegalArgumentException(
                    "a run has launches that take time, got " + launches + " of " + launchNs + " ns");
        }
    }

    /** Whether the GPU was slowed down by something that is not its power cap. */
    public boolean isInvalid() {
        return (throttleReasons & INVALIDATING) != 0;
    }
}
