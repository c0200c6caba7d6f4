package dev.tilewright.api.web.worker;

import dev.tilewright.api.platform.database.JsonColumn;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Workers and their devices, by the view of the dashboards. */
@Repository
record WorkerPageRepository(JdbcClient jdbc) {

    /**
     * Measurements that are looked at for the last one of a testbed: one that was idle for long has none among them.
     */
    private static final int RECENT = 5000;

    /**
     * A device of a worker.
     *
     * @param device {@code null} for a worker without any
     * @param measuredAt when something was measured on a testbed like this last; {@code null} if that is long ago, as
     *     are clock, power and temperature
     */
    record Device(
            String host,
            long pid,
            @Nullable String device,
            @Nullable String kind,
            @Nullable String model,
            @Nullable String driver,
            @Nullable String assembler,
            @Nullable Integer smCount,
            int leases,
            Instant registeredAt,
            Instant seenAt,
            @Nullable Instant measuredAt,
            @Nullable Double clockMhz,
            @Nullable Double powerWatts,
            @Nullable Double celsius) {}

    /** Those that were heard last come first. */
    List<Device> devices(int most) {
        return jdbc.sql("""
                with recent as (
                    select study_id, id, sm_clock_mhz, power_watts, temperature_celsius, created_at
                    from measurement order by id desc limit :recent),
                last as (
                    select distinct on (t.kind, t.device, t.driver, t.assembler) t.kind, t.device, t.driver, t.assembler,
                        m.sm_clock_mhz, m.power_watts, m.temperature_celsius, m.created_at
                    from recent m join study s on s.id = m.study_id join testbed t on t.id = s.testbed_id
                    order by t.kind, t.device, t.driver, t.assembler, m.id desc)
                select w.*, l.sm_clock_mhz, l.power_watts, l.temperature_celsius, l.created_at as measured_at
                from v_worker w left join last l on l.kind = w.testbed_kind and l.device = w.testbed_device
                    and l.driver = w.testbed_driver and l.assembler = w.testbed_assembler
                order by w.last_seen_at desc, w.host, w.device limit :most""")
                .param("recent", RECENT)
                .param("most", most)
                .query((row, number) -> new Device(
                        row.getString("host"),
                        row.getLong("pid"),
                        row.getString("device"),
                        row.getString("testbed_kind"),
                        row.getString("testbed_device"),
                        row.getString("testbed_driver"),
                        row.getString("testbed_assembler"),
                        JsonColumn.wholeOrNull(row, "sm_count"),
                        row.getInt("live_leases"),
                        JsonColumn.instant(row, "registered_at"),
                        JsonColumn.instant(row, "last_seen_at"),
                        JsonColumn.instantOrNull(row, "measured_at"),
                        JsonColumn.realOrNull(row, "sm_clock_mhz"),
                        JsonColumn.realOrNull(row, "power_watts"),
                        JsonColumn.realOrNull(row, "temperature_celsius")))
                .list();
    }
}
