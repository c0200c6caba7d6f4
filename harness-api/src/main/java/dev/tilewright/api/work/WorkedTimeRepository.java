package dev.tilewright.api.work;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Table {@code worked_time}: how long devices have worked on studies that have a limit of time.
 *
 * <p>A device works on its leases in the order in which they were granted: on the oldest one that lives. The others
 * wait, such as the screens of a study behind the final of another one. A lease counts from its grant, or from the end
 * of the last lease that was granted before it to the same device. The time in which the service could not hear its
 * workers does not count, as its length is not known if the clock was set.
 */
@Repository
public record WorkedTimeRepository(JdbcClient jdbc, Attention attention, Clock clock) {

    /** Whether study s of job j runs and has a limit of time. */
    private static final String TIMED =
            "s.state = 'running' and coalesce(s.own_options, j.options) -> 'budget' ->> 'seconds' is not null";

    /** The time of a study with a limit until now; zero for any other study. */
    public Duration of(UUID study) {
        return now(study, clock.instant()).counted();
    }

    /** Counts the time of a study, of which leases are about to end. The caller holds the study. */
    void count(UUID study) {
        WorkedTime time = now(study, clock.instant());
        if (time.countedAt() != null) {
            jdbc.sql("""
                    insert into worked_time (study_id, worked_ns, counted_at) values (:study, :worked, :at)
                    on conflict (study_id) do update set worked_ns = excluded.worked_ns, counted_at = excluded.counted_at""")
                    .param("study", study)
                    .param("worked", time.counted().toNanos())
                    .param("at", at(time.countedAt()))
                    .update();
        }
    }

    /**
     * Leaves out the time since the last count, of which some is not known: the service did not hear its workers, or
     * the clock was set. Each study by itself: others hold several at once, in an order of their own.
     */
    public void skip() {
        jdbc.sql("select s.id from study s join job j on j.id = s.job_id where " + TIMED)
                .query(UUID.class)
                .list()
                .forEach(study -> jdbc.sql("""
                        insert into worked_time (study_id, worked_ns, counted_at) values (:study, 0, :now)
                        on conflict (study_id) do update set counted_at = excluded.counted_at""")
                        .param("study", study)
                        .param("now", at(clock.instant()))
                        .update());
    }

    private WorkedTime now(UUID study, Instant now) {
        WorkedTime time = stored(study, now);
        if (time == WorkedTime.NONE) {
            return time;
        }
        return attention.wasWhole() ? time.counted(now) : time.skipped(now);
    }

    private WorkedTime stored(UUID study, Instant now) {
        return jdbc.sql("""
                select c.worked_ns, c.counted_at, (
                    select min(greatest(l.granted_at, (
                        select max(p.ended_at) from lease p
                        where p.worker_id = l.worker_id and p.device = l.device and p.granted_at < l.granted_at
                            and p.ended_at > l.granted_at and p.ended_at <= :now)))
                    from (
                        select distinct on (worker_id, device) * from lease
                        where study_id = s.id and ended_at is null and begun
                        order by worker_id, device, granted_at) l
                    where not exists (
                        select from lease p where p.worker_id = l.worker_id and p.device = l.device
                            and p.granted_at < l.granted_at and p.ended_at is null and p.begun)) as since
                from study s join job j on j.id = s.job_id left join worked_time c on c.study_id = s.id
                where s.id = :study and %s""".formatted(TIMED))
                .param("study", study)
                .param("now", at(now))
                .query((row, number) -> new WorkedTime(
                        Duration.ofNanos(row.getLong("worked_ns")),
                        JsonColumn.instantOrNull(row, "counted_at"),
                        JsonColumn.instantOrNull(row, "since")))
                .optional()
                .orElse(WorkedTime.NONE);
    }
}
