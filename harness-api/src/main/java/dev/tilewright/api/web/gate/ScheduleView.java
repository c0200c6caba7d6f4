package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.document.GateSchedule;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * When a gate runs by itself.
 *
 * @param lastRun {@code null} where the last time made none, or is still to come
 * @param lastError why it made none; {@code null} if it did
 */
public record ScheduleView(
        String gate,
        String when,
        String next,
        String author,
        String last,
        @Nullable UUID lastRun,
        @Nullable String lastError) {

    static ScheduleView of(GateSchedule schedule) {
        return new ScheduleView(
                schedule.gate(),
                schedule.when(),
                Figures.moment(schedule.nextAt()),
                schedule.author(),
                Figures.moment(schedule.lastAt()),
                schedule.lastRun(),
                schedule.lastError());
    }
}
