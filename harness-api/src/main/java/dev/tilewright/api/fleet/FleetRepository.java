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

/** Reads workers and what they hold. */
@Repository
record FleetRepository(JdbcClient jdbc, JsonColumn json, ServiceSettings settings, Clock clock) {

    private record OfWorker(UUID workerId, WorkerDocument.DeviceDocument device) {}

    /** All workers, or those that are live, with the one that was heard last first. */
    List<WorkerDocument> workers(boolean liveAlone) {
        Instant since = clock.instant().minus(settings.leaseTtl());
        Map<UUID, List<WorkerDocument.DeviceDocument>> devices = devices().stream()
                .collect(Collectors.groupingBy(
                        OfWorker::workerId, Collectors.mapping(OfWorker::device, Collectors.toList())));
        return jdbc.sql("""
                select w.* from worker w where not :live or w.last_seen_at >= :since
                order by w.last_seen_at desc, w.registered_at, w.id""")
                .param("live", liveAlone)
                .param("since", at(since))
                .query((row, number) -> worker(row, since, devices))
                .list();
    }

    private WorkerDocument worker(ResultSet row, Instant since, Map<UUID, List<WorkerDocument.DeviceDocument>> devices)
            throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        Instant seen = JsonColumn.instant(row, "last_seen_at");
        return new WorkerDocument(
                id,
                row.getString("host"),
                row.getLong("pid"),
                seen.isBefore(since) ? WorkerDocument.State.SILENT : WorkerDocument.State.LIVE,
                row.getInt("protocol"),
                List.copyOf(new TreeMap<>(json.read(row, "families", new TypeReference<Map<String, String>>() {}))
                        .keySet()),
                JsonColumn.instant(row, "registered_at"),
                seen,
                devices.getOrDefault(id, List.of()));
    }

    /** Live leases are few: they are counted once, for all devices. */
    private List<OfWorker> devices() {
        return jdbc.sql("""
                with held as (
                    select worker_id, device, study_id from lease where ended_at is null
                    union all select worker_id, device, null from gpu_task where state = 'leased')
                select d.worker_id, d.label, d.deals, t.*, h.leases, h.studies
                from worker_device d join testbed t on t.id = d.testbed_id
                left join (
                    select worker_id, device, count(*) as leases, array_agg(distinct study_id) filter (where study_id is not null) as studies
                    from held group by worker_id, device) h on h.worker_id = d.worker_id and h.device = d.label
                order by d.worker_id, length(d.label), d.label""")
                .query((row, number) -> new OfWorker(
                        row.getObject("worker_id", UUID.class),
                        new WorkerDocument.DeviceDocument(
                                row.getString("label"),
                                WorkerRepository.testbed(row),
                                json.listOrNull(row, "deals", DeviceOffer.Deal[].class),
                                row.getInt("leases"),
                                uuids(row.getArray("studies")))))
                .list();
    }

    private static List<UUID> uuids(@Nullable Array array) throws SQLException {
        return array == null
                ? List.of()
                : Arrays.stream((UUID[]) array.getArray())
                        .sorted(Comparator.comparing(UUID::toString))
                        .toList();
    }
}
