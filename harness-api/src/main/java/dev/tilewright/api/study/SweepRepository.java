package dev.tilewright.api.study;

import dev.tilewright.api.platform.database.JsonColumn;
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

    /** Followed by the part, as workers report it. */
    private static final String WAIT = "gpuWait.";

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
                    sum((t.times_ns ->> 'gpuBusy')::bigint) filter (where l.ending = 'reported')::bigint as busy,
                    sum((t.times_ns ->> 'gpuSpinFlush')::bigint) filter (where l.ending = 'reported')::bigint as spin_flush
                from lease l join trial t on t.id = l.trial_id left join worker w on w.id = l.worker_id
                where l.study_id = :study
                having count(*) filter (where l.ending = 'reported') > 0""")
                .param("study", studyId)
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

    /** For how long GPUs had nothing to do, by what their runners were at. */
    private Map<String, Long> waitsNs(UUID studyId) {
        Map<String, Long> sums = new HashMap<>();
        jdbc.sql("""
                select substr(wait.key, length(:prefix) + 1) as part, sum(wait.value::bigint)::bigint as nanos
                from lease l join trial t on t.id = l.trial_id cross join lateral jsonb_each_text(t.times_ns) wait
                where l.study_id = :study and l.ending = 'reported' and starts_with(wait.key, :prefix)
                group by wait.key""").param("study", studyId).param("prefix", WAIT).query(row -> {
            sums.put(row.getString("part"), row.getLong("nanos"));
        });
        return sums;
    }
}
