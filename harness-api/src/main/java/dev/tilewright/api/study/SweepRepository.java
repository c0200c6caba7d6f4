package dev.tilewright.api.study;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.Sweep;
import dev.tilewright.model.trial.GpuTime;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Tables {@code sweep}, {@code sweep_device} and {@code sweep_wait}: what the reported trials of a study add up to. Who
 * adds to them holds the study.
 */
@Repository
public class SweepRepository {

    private final JdbcClient jdbc;
    private final JsonColumn json;

    SweepRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    private record Device(UUID worker, String device) {}

    private record Wait(String part, long nanos) {}

    /**
     * Adds trials of a study that were reported together, each of them once. The first trial that ran sets
     * {@code testbed.ran_at}.
     */
    public void add(UUID studyId, List<SweptTrial> trials, Instant reportedAt) {
        jdbc.sql("""
            with devices as (
                insert into sweep_device (study_id, host, device)
                select distinct cast(:study as uuid), coalesce(w.host, d.worker::text), d.device
                from json_to_recordset(cast(:devices as json)) as d(worker uuid, device text)
                left join worker w on w.id = d.worker
                on conflict do nothing),
            waits as (
                insert into sweep_wait (study_id, part, nanos)
                select :study, w.part, w.nanos from json_to_recordset(cast(:waits as json)) as w(part text, nanos bigint)
                on conflict (study_id, part) do update set nanos = sweep_wait.nanos + excluded.nanos),
            testbeds as (
                update testbed set ran_at = :now
                where :configs > 0 and ran_at is null and id = (select testbed_id from study where id = :study))
            insert into sweep (study_id, configs, reported_at, busy_ns, spin_flush_ns)
            values (:study, :configs, :now, :busy, :spinFlush)
            on conflict (study_id) do update set configs = sweep.configs + excluded.configs,
                reported_at = greatest(sweep.reported_at, excluded.reported_at),
                busy_ns = case when sweep.busy_ns is null then excluded.busy_ns
                    else sweep.busy_ns + coalesce(excluded.busy_ns, 0) end,
                spin_flush_ns = case when sweep.spin_flush_ns is null then excluded.spin_flush_ns
                    else sweep.spin_flush_ns + coalesce(excluded.spin_flush_ns, 0) end\
            """)
                .param("study", studyId)
                .param(
                        "devices",
                        json.write(trials.stream()
                                .map(trial -> new Device(trial.workerId(), trial.device()))
                                .distinct()
                                .toList()))
                .param("waits", json.write(waits(studyId, trials, reportedAt)))
                .param("configs", (int) trials.stream().filter(SweptTrial::ran).count())
                .param("now", at(reportedAt))
                .param("busy", sum(trials, GpuTime.BUSY))
                .param("spinFlush", sum(trials, GpuTime.SPIN_FLUSH))
                .update();
    }

    /** {@code null} if no trial has it. */
    private static @Nullable Long sum(List<SweptTrial> trials, String time) {
        return trials.stream()
                .map(trial -> trial.timesNs().get(time))
                .filter(Objects::nonNull)
                .reduce(Long::sum)
                .orElse(null);
    }

    private List<Wait> waits(UUID studyId, List<SweptTrial> trials, Instant reportedAt) {
        if (trials.stream()
                .noneMatch(
                        trial -> trial.timesNs().keySet().stream().anyMatch(time -> time.startsWith(GpuTime.WAIT)))) {
            return List.of();
        }
        long sinceStartNs = jdbc.sql("""
            select granted_at from lease where study_id = :study and trial_id is not null
            order by granted_at limit 1\
            """)
                .param("study", studyId)
                .query((row, number) -> Duration.between(JsonColumn.instant(row, "granted_at"), reportedAt)
                        .toNanos())
                .single();
        Map<String, Long> sums = new TreeMap<>();
        trials.forEach(trial -> trial.waitsNs(sinceStartNs).forEach((part, ns) -> sums.merge(part, ns, Long::sum)));
        return sums.entrySet().stream()
                .map(sum -> new Wait(sum.getKey(), sum.getValue()))
                .toList();
    }

    /** The sweep so far; empty before the first report of a trial, and where no time passed until then. */
    public Optional<Sweep> of(UUID studyId) {
        return jdbc.sql("""
            select s.*, (select count(*) from sweep_device d where d.study_id = s.study_id) as devices, (
                select l.granted_at from lease l where l.study_id = s.study_id and l.trial_id is not null
                order by l.granted_at limit 1) as began_at
            from sweep s where s.study_id = :study\
            """)
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

    /** GPU time of the reported trials, working and waiting; zero where no GPU was used. */
    public Duration spent(UUID studyId) {
        return jdbc.sql("""
            select (coalesce(s.busy_ns, 0) + coalesce(s.spin_flush_ns, 0)
                    + coalesce((select sum(w.nanos) from sweep_wait w where w.study_id = s.study_id), 0))
                / greatest(1, (select count(*) from sweep_device d where d.study_id = s.study_id))
            from sweep s where s.study_id = :study\
            """)
                .param("study", studyId)
                .query(BigDecimal.class)
                .optional()
                .map(nanos -> Duration.ofNanos(nanos.longValue()))
                .orElse(Duration.ZERO);
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
