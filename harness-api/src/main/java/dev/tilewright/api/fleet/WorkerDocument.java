package dev.tilewright.api.fleet;

import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker as users see it.
 *
 * @param state whether it was heard within the life of a lease
 * @param protocol what it speaks
 * @param families that it can build, by their makers
 * @param lastSeenAt when it was last heard
 */
public record WorkerDocument(
        UUID id,
        String host,
        long pid,
        State state,
        int protocol,
        List<String> families,
        Instant registeredAt,
        Instant lastSeenAt,
        List<DeviceDocument> devices) {

    /** Whether a worker counts as alive. Written in lower case. */
    public enum State {
        LIVE,
        SILENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A device of a worker.
     *
     * @param deals how it deals clusters out to its GPCs; {@code null} if that was not measured
     * @param leases how many it holds: trials, finals and tasks
     * @param studies those that the leases are of
     * @param lastReading from its last trial, final or comparison that was timed; {@code null} if there is none among
     *     its last reports
     */
    public record DeviceDocument(
            String label,
            Testbed testbed,
            @Nullable List<DeviceOffer.Deal> deals,
            int leases,
            List<UUID> studies,
            @Nullable DeviceReading lastReading) {}

    /**
     * A reading of a device while something was timed on it.
     *
     * @param at when that was reported
     * @param smClockMhz {@code null} if it cannot be read, as are the following
     */
    public record DeviceReading(
            Instant at,
            @Nullable Double smClockMhz,
            @Nullable Double powerWatts,
            @Nullable Double temperatureCelsius) {}
}
