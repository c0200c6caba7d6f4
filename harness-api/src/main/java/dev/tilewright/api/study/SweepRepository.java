package dev.tilewright.api.study;

import dev.tilewright.api.platform.database.JsonColumn;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Tables {@code sweep}, {@code sweep_device} and {@code sweep_wait}: what the reported trials of a study add up to. Who
 * adds to them holds the study.
 */
@Repository
public class SweepRepository {

    private final JdbcClient jdbc;

    SweepRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds trials of a study whose leases were reported just now, each of them once. */
    public void add(UUID studyId, Collection<UUID> leases) {
        if (leases.isEmpty()) {
            return;
        }
        jdbc.sql("""
                insert into sweep (study_id, configs, reported_at, busy_ns, spin_flush_ns)
                select a.study_id, count(*) filter (where a.ran), max(a.ended_at), sum((a.times_ns ->> 'gpuBusy')::bigint)::bigint,
                    sum((a.times_ns ->> 'gpuSpinFlush')::bigint)::bigint
                from reported_attempt a where a.id in (:leases) and a.study_id = :study group by a.study_id
                on conflict (study_id) do update set configs = sweep.configs + excluded.configs,
                    reported_at = greatest(sweep.reported_at, excluded.reported_at),
                    busy_ns = case when sweep.busy_ns is null then excluded.busy_ns
                        else sweep.busy_ns + coalesce(excluded.busy_ns, 0) end,
                    spin_flush_ns = case when sweep.spin_flush_ns is null then excluded.spin_flush_ns
                        else sweep.spin_flush_ns + coalesce(excluded.spin_flush_ns, 0) end""").param("study", studyId).param("leases", leases).update();
        jdbc.sql("""
                insert into sweep_device (study_id, host, device)
                select distinct study_id, host, device from reported_attempt where id in (:leases) and study_id = :study
                on conflict do nothing""").param("study", studyId).param("leases", leases).update();
        jdbc.sql("""
                insert into sweep_wait (study_id, part, nanos)
                select study_id, part, sum(nanos)::bigint from reported_wait where id in (:leases) and study_id = :study
                group by study_id, part
                on conflict (study_id, part) do update set nanos = sweep_wait.nanos + excluded.nanos""").param("study", studyId).param("leases", leases).update();
    }

    /** The sweep so far; empty before the first report of a trial, and where no time passed until then. */
    public Optional<Sweep> of(UUID studyId) {
        return jdbc.sql("""
                select s.*, (select count(*) from sweep_device d where d.study_id = s.study_id) as devices, (
                    select l.granted_at from lease l where l.study_id = s.study_id and l.trial_id is not null
                    order by l.granted_at limit 1) as began_at
                from sweep s where s.study_id = :study""")
                .param("study", studyId)
                .query((row, number) -> Sweep.of(
                        row.getInt("configs"),
                        Duration.between(JsonColumn.instant(row, "began_at"), JsonColumn.instant(row, "reported_at"))
                                        .toNanos()
                                / 1e9,
                        row.getInt("devices"),
                        row.getObject("busy_ns", Long.class),
                        row.getObject("spin_flush_ns", Long.class),
                        waitsNs(studyId)))
                .optional()
                .filter(sweep -> sweep.seconds() > 0);
    }

    private Map<String, Long> waitsNs(UUID studyId) {
        Map<String, Long> sums = new HashMap<>();
        jdbc.sql("select part, nanos from sweep_wait where study_id = :study")
                .param("study", studyId)
                .query(row -> {
                    sums.put(row.getString("part"), row.getLong("nanos"));
                });
        return sums;
    }
}
