package dev.tilewright.worker.gpu.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Some launches of one arm, timed on the device.
 *
 * @param launches how many
 * @param launchNs duration of one launch, in nanoseconds
 * @param smClockMhz SM clock while they ran: by the cycles of an SM, or the median of what the management library said;
 *     empty if it cannot be read, as are the following
 * @param powerWatts median power drawn while they ran
 * @param temperatureCelsius median temperature of the chip
 * @param throttleReasons all reasons seen while they ran, as bits; 0 if they cannot be read
 */
public record Run(
        int launches,
        double launchNs,
        OptionalDouble smClockMhz,
        OptionalDouble powerWatts,
        OptionalDouble temperatureCelsius,
        long throttleReasons) {

    /** A reason that makes a run worthless. The power cap (0x4) is none: it is how a GPU at factory clocks works. */
    private enum Slowdown {
        HARDWARE(0x8, "hardware slowdown"),
        SOFTWARE_THERMAL(0x20, "thermal slowdown by software"),
        HARDWARE_THERMAL(0x40, "thermal slowdown by hardware"),
        POWER_BRAKE(0x80, "power brake");

        private final long bit;
        private final String words;

        Slowdown(long bit, String words) {
            this.bit = bit;
            this.words = words;
        }
    }

    public Run {
        if (launches < 1 || !(launchNs > 0)) {
            throw new IllegalArgumentException(
                    "a run has launches that take time, got " + launches + " of " + launchNs + " ns");
        }
    }

    /** Reason, other than the power cap, that slowed the GPU down; empty if none did. */
    public Optional<String> slowdown() {
        List<String> seen = new ArrayList<>();
        for (Slowdown slowdown : Slowdown.values()) {
            if ((throttleReasons & slowdown.bit) != 0) {
                seen.add(slowdown.words);
            }
        }
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of("%s (throttle reasons 0x%x)".formatted(String.join(", ", seen), throttleReasons));
    }
}
