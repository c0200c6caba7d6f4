package dev.tilewright.api.study;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.trial.GpuTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Adds up leases and times of a study's trials. */
@Repository
class SweepRepository {

    private final JdbcClient jdbc;

    SweepRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The sweep so far; empty before the first report of a trial, and where no time passed until then. */
    Optional<Sweep> of(UUID studyId) {
        // A worker that was started again has another id and the same host. What the check stopped ran on no device.
        return jdbc.sql("""
                select min(l.granted_at) as first, max(l.ended_at) filter (where l.ending = 'reported') as last,
                    count(*) filter (where l.ending = 'reported'
                        and (t.grid_x is not null or t.outcome in ('launch', 'timeout', 'crash'))) as configs,
                    count(distinct (coalesce(w.host, l.worker_id::text), l.device))
                        filter (where l.ending = 'reported') as devices,
                    sum((t.times_ns ->> :busy)::bigint) filter (where l.ending = 'reported')::bigint as busy,
                    sum((t.times_ns ->> :spinFlush)::bigint) filter (where l.ending = 'reported')::bigint as spin_flush
                from lease l join trial t on t.id = l.trial_id left join worker w on w.id = l.worker_id
                where l.study_id = :study
                having count(*) filter (where l.ending = 'reported') > 0""")
                .param("study", studyId)
                .param("busy", GpuTime.BUSY)
                .param("spinFlush", GpuTime.SPIN_FLUSH)
                .query((row, number) -> Sweep.of(
                        row.getInt("configs"),
                        Duration.between(JsonColumn.instant(row, "first"), JsonColumn.instant(row, "last"))
                                        .toNanos()
                                / 1e9,
                        row.getInt("devices"),
                        row.getObject("busy", Long.class),
                        row.getObject("spin_flush", Long.class),
                        waitsNs(studyId)))
                .optional()
                .filter(sweep -> sweep.seconds() > 0);
    }

    /**
     * For how long GPUs had nothing to do, by what their runners were at. A runner that is up waits for its first
     * request of a study since long before there was one. What a trial has on its account, from the start of the study
     * to its report, is no longer than that time: the rest is cut from that wait and from no other, because whatever
     * else the runner was at it was at for a trial of the study.
     */
    private Map<String, Long> waitsNs(UUID studyId) {
        Map<String, Long> sums = new HashMap<>();
        jdbc.sql("""
                with attempt as (
                    select l.id, l.ending, t.times_ns,
                        (extract(epoch from l.ended_at - min(l.granted_at) over ()) * 1000000000)::bigint as since_start
                    from lease l join trial t on t.id = l.trial_id
                    where l.study_id = :study),
                account as (
                    select gpu.key, gpu.value::bigint as nanos, a.since_start - coalesce(sum(gpu.value::bigint)
                        filter (where gpu.key <> :request) over (partition by a.id), 0) as room
                    from attempt a cross join lateral jsonb_each_text(a.times_ns) gpu
                    where a.ending = 'reported'
                        and (gpu.key in (:busy, :spinFlush) or starts_with(gpu.key, :prefix)))
                select substr(key, length(:prefix) + 1) as part,
                    sum(case key when :request then greatest(0, least(nanos, room)) else nanos end)::bigint as nanos
                from account where starts_with(key, :prefix)
                group by key""")
                .param("study", studyId)
                .param("busy", GpuTime.BUSY)
                .param("spinFlush", GpuTime.SPIN_FLUSH)
                .param("prefix", GpuTime.WAIT)
                .param("request", GpuTime.WAIT + GpuTime.REQUEST)
                .query(row -> {
                    sums.put(row.getString("part"), row.getLong("nanos"));
                });
        return sums;
    }
}
