package dev.tilewright.api.gate.schedule;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.CronSchedule;
import com.github.kagkarlsson.scheduler.task.schedule.CronStyle;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import com.github.kagkarlsson.scheduler.task.schedule.Schedules;
import dev.tilewright.api.platform.http.ApiProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.regex.Pattern;

/**
 * One line that says when: as db-scheduler writes schedules, or as cron does. Where it names no zone it is in UTC, not
 * in that of the machine that reads it.
 */
record ScheduleLine(String line) {

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Pattern DAILY_WITHOUT_ZONE = Pattern.compile("DAILY\\|[\\d:,]+");
    private static final Pattern OF_DB_SCHEDULER = Pattern.compile("[A-Z_]+\\|.*");
    private static final Duration LEAST = Duration.ofMinutes(1);

    /** The first time after a moment. */
    Instant next(Instant after) {
        return schedule().getNextExecutionTime(ExecutionComplete.simulatedSuccess(after));
    }

    private Schedule schedule() {
        if (OF_DB_SCHEDULER.matcher(line).matches()) {
            return Schedules.parseSchedule(DAILY_WITHOUT_ZONE.matcher(line).matches() ? line + "|UTC" : line);
        }
        return new CronSchedule(line, UTC, CronStyle.UNIX);
    }

    /**
     * The first time after a moment, where the line may be anything.
     *
     * @throws ApiProblem 422 with the line and what it may be
     */
    static Instant first(String line, Instant now) {
        Duration pause;
        Instant first;
        try {
            ScheduleLine schedule = new ScheduleLine(line);
            first = schedule.next(now);
            pause = Duration.between(first, schedule.next(first));
        } catch (RuntimeException unreadable) {
            throw ApiProblem.invalid(
                    "/when",
                    "must be such as DAILY|03:00, DAILY|03:00,15:00|Europe/Berlin, FIXED_DELAY|3600s or the five fields of"
                            + " a cron line (0 3 * * 1-5), got '" + line + "'");
        }
        if (pause.compareTo(LEAST) < 0) {
            throw ApiProblem.invalid(
                    "/when", "must leave at least " + LEAST.toSeconds() + " s between two runs, got '" + line + "'");
        }
        return first;
    }
}
