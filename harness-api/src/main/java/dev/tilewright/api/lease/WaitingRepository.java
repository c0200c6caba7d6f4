package dev.tilewright.api.lease;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds what has waited for a device for long, by what it waits for. */
@Repository
record WaitingRepository(JdbcClient jdbc) {

    /**
     * A device that work waits for.
     *
     * @param families of its kernels, or their makers
     * @param testbedId on which it began; {@code null} if nobody has begun it
     */
    record Wanted(
            String selector,
            List<String> families,
            @Nullable UUID testbedId) {}

    /** Devices that open studies of jobs from before that time want. */
    List<Wanted> studies(Instant before) {
        return jdbc.sql("""
                select distinct j.options ->> 'device' as selector, s.family, s.testbed_id
                from study s join job j on j.id = s.job_id
                where s.state in ('queued', 'running') and j.created_at <= :before""")
                .param("before", at(before))
                .query((row, number) -> new Wanted(
                        row.getString("selector"),
                        List.of(row.getString("family")),
                        row.getObject("testbed_id", UUID.class)))
                .list();
    }

    /** The open studies of jobs that came before then and want this. */
    List<UUID> studies(Wanted wanted, Instant before) {
        return jdbc.sql("""
                select s.id from study s join job j on j.id = s.job_id
                where s.state in ('queued', 'running') and j.created_at <= :before
                    and j.options ->> 'device' = :selector and s.family = :family
                    and s.testbed_id is not distinct from cast(:testbed as uuid)
                order by s.seq""")
                .param("before", at(before))
                .param("selector", wanted.selector())
                .param("family", wanted.families().getFirst())
                .param("testbed", wanted.testbedId())
                .query(UUID.class)
                .list();
    }

    /** Devices that queued tasks from before that time want. */
    List<Wanted> tasks(Instant before) {
        return jdbc.sql(
                        "select distinct selector, makers from gpu_task where state = 'queued' and created_at <= :before")
                .param("before", at(before))
                .query((row, number) -> new Wanted(
                        row.getString("selector"),
                        List.of((String[]) row.getArray("makers").getArray()),
                        null))
                .list();
    }

    /** Fails the queued tasks that came before then and want this; returns how many. */
    int failTasks(Wanted wanted, Instant before, String error, Instant now) {
        return jdbc.sql("""
                update gpu_task set state = 'failed', error = :error, finished_at = :now
                where id in (
                    select id from gpu_task where state = 'queued' and created_at <= :before and selector = :selector
                        and makers = cast(:makers as text[])
                    order by id for update skip locked)""")
                .param("error", error)
                .param("now", at(now))
                .param("before", at(before))
                .param("selector", wanted.selector())
                .param("makers", wanted.families().toArray(String[]::new))
                .update();
    }
}
