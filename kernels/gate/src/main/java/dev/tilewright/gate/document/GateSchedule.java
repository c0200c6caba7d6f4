package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * When a gate runs by itself.
 *
 * @param when such as {@code DAILY|03:00}, {@code FIXED_DELAY|3600s} or the five fields of a cron line; UTC unless it
 *     names a zone
 * @param author whose token asked for it; runs are submitted in this name
 * @param lastRun of the last time; {@code null} before, and where there was none
 * @param lastError why the last time made no run; {@code null} if it did
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GateSchedule(
        String gate,
        String when,
        GateRequest request,
        String author,
        Instant nextAt,
        @Nullable Instant lastAt,
        @Nullable UUID lastRun,
        @Nullable String lastError) {

    /**
     * Asks for it.
     *
     * @param when such as {@code DAILY|03:00}, {@code FIXED_DELAY|3600s} or the five fields of a cron line; UTC unless
     *     it names a zone
     * @param request of each run
     */
    public record ScheduleRequest(String when, GateRequest request) {}
}
