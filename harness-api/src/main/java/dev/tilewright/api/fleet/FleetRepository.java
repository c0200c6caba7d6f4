package dev.tilewright.api.fleet;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.DeviceOffer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** Reads workers, what they hold, and what was read of their devices. */
@Repository
public record FleetRepository(JdbcClient jdbc, JsonColumn json, ServiceSettings settings, Clock clock) {

    /** Reports of a device that are looked at for its last reading: trials that failed have none. */
    private static final int RECENT = 100;

    private static final String DEVICES = """
            with shown as (select unnest(cast(:workers as uuid[])) as id),
            held as (select worker_id, device, study_id from lease where ended_at is null)
            select d.worker_id, d.label, d.deals, t.*, h.leases, h.studies, r.read_at, r.clock, r.power, r.celsius
            from shown s join worker_device d on d.worker_id = s.id join testbed t on t.id = d.testbed_id
            left join (
                select worker_id, device, count(*) as leases, array_agg(distinct study_id) filter (where study_id is not null) as studies
                from held group by worker_id, device) h on h.worker_id = d.worker_id and h.device = d.label
            left join lateral (
                (select m.created_at as read_at, m.sm_clock_mhz as clock, m.power_watts as power, m.temperature_celsius as celsius
                from (
                    select l.study_id, l.trial_id, l.fence, l.ended_at from lease l
                    where l.worker_id = d.worker_id and l.device = d.label and l.ending = 'reported'
                        and l.study_id is not null
                    order by l.ended_at desc limit :recent) l
                cross join lateral (
                    (select m.* from measurement m join trial t on t.id = m.trial_id
                    where m.trial_id = l.trial_id and m.arm_id is null and t.fence = l.fence
                    order by m.id desc limit 1)
                    union all
                    (select m.* from final_run f join final_arm a on a.study_id = f.study_id
                    join measurement m on m.arm_id = a.id
                    where l.trial_id is null and f.study_id = l.study_id and f.fence = l.fence
                    order by m.id desc limit 1)) m
                order by l.ended_at desc, m.id desc limit 1)
                union all
                (select k.ended_at, (k.last ->> 'smClockMhz')::double precision, (k.last ->> 'powerWatts')::double precision,
                    (k.last ->> 'temperatureCelsius')::double precision
                from (
                    select l.ended_at, g.result -> 'blocks' -> -1 as last from lease l join gpu_task g on g.id = l.task_id
                    where l.worker_id = d.worker_id and l.device = d.label and l.ending = 'reported'
                        and l.task_id is not null
                    order by l.ended_at desc limit :recent) k
                where k.last is not null
                order by k.ended_at desc limit 1)
                order by read_at desc limit 1) r on t.kind <> 'emulated'
            order by d.worker_id, length(d.label), d.label""";

    private record OfWorker(UUID workerId, WorkerDocument.DeviceDocument device) {}

    private record Found(
            UUID id,
            String host,
            long pid,
            int protocol,
            List<String> families,
            Instant registeredAt,
            Instant seenAt) {}

    /**
     * Workers, or those that are live, with the one that was heard last first.
     *
     * @param most how many of them
     */
    public List<WorkerDocument> workers(boolean liveAlone, int most) {
        Instant since = clock.instant().minus(settings.leaseTtl());
        List<Found> found = jdbc.sql("""
                select w.* from worker w where not :live or w.last_seen_at >= :since
                order by w.last_seen_at desc, w.registered_at, w.id limit :most""")
                .param("live", liveAlone)
                .param("since", at(since))
                .param("most", most)
                .query((row, number) -> found(row))
                .list();
        Map<UUID, List<WorkerDocument.DeviceDocument>> devices =
                devices(found.stream().map(Found::id).toList()).stream()
                        .collect(Collectors.groupingBy(
                                OfWorker::workerId, Collectors.mapping(OfWorker::device, Collectors.toList())));
        return found.stream()
                .map(worker -> new WorkerDocument(
                        worker.id(),
                        worker.host(),
                        worker.pid(),
                        worker.seenAt().isBefore(since) ? WorkerDocument.State.SILENT : WorkerDocument.State.LIVE,
                        worker.protocol(),
                        worker.families(),
                        worker.registeredAt(),
                        worker.seenAt(),
                        devices.getOrDefault(worker.id(), List.of())))
                .toList();
    }

    private Found found(ResultSet row) throws SQLException {
        return new Found(
                row.getObject("id", UUID.class),
                row.getString("host"),
                row.getLong("pid"),
                row.getInt("protocol"),
                List.copyOf(new TreeMap<>(json.read(row, "families", new TypeReference<Map<String, String>>() {}))
                        .keySet()),
                JsonColumn.instant(row, "registered_at"),
                JsonColumn.instant(row, "last_seen_at"));
    }

    /** Live leases are few: they are counted once, for all devices. */
    private List<OfWorker> devices(List<UUID> workers) {
        return jdbc.sql(DEVICES)
                .param("workers", workers.stream().map(UUID::toString).toArray(String[]::new))
                .param("recent", RECENT)
                .query((row, number) -> new OfWorker(
                        row.getObject("worker_id", UUID.class),
                        new WorkerDocument.DeviceDocument(
                                row.getString("label"),
                                WorkerRepository.testbed(row),
                                json.listOrNull(row, "deals", DeviceOffer.Deal[].class),
                                row.getInt("leases"),
                                uuids(row.getArray("studies")),
                                reading(row))))
                .list();
    }

    private static WorkerDocument.@Nullable DeviceReading reading(ResultSet row) throws SQLException {
        Instant at = JsonColumn.instantOrNull(row, "read_at");
        return at == null
                ? null
                : new WorkerDocument.DeviceReading(
                        at,
                        JsonColumn.realOrNull(row, "clock"),
                        JsonColumn.realOrNull(row, "power"),
                        JsonColumn.realOrNull(row, "celsius"));
    }

    private static List<UUID> uuids(@Nullable Array array) throws SQLException {
        return array == null
                ? List.of()
                : Arrays.stream((UUID[]) array.getArray())
                        .sorted(Comparator.comparing(UUID::toString))
                        .toList();
    }
}
