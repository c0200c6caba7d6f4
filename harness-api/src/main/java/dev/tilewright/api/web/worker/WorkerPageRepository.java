package dev.tilewright.api.web.worker;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.DeviceOffer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Workers and their devices, by the view of the dashboards. */
@Repository
record WorkerPageRepository(JdbcClient jdbc, JsonColumn json) {

    /** Reports of a device that are looked at for its last reading: trials that failed have none. */
    private static final int RECENT = 100;

    /**
     * A device of a worker.
     *
     * @param device {@code null} for a worker without any
     * @param deals how it deals clusters out; {@code null} if that was not measured
     * @param measuredAt when a trial or a final was measured on it last; {@code null} if none of its last reports has a
     *     measurement, as are clock, power and temperature
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
            @Nullable List<DeviceOffer.Deal> deals,
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
                with shown as materialized (
                    select * from v_worker order by last_seen_at desc, host, device limit :most)
                select w.*, d.deals, r.sm_clock_mhz, r.power_watts, r.temperature_celsius, r.created_at as measured_at
                from shown w left join worker_device d on d.worker_id = w.worker_id and d.label = w.device
                left join lateral (
                    select m.sm_clock_mhz, m.power_watts, m.temperature_celsius, m.created_at
                    from (
                        select l.study_id, l.trial_id, l.fence, l.ended_at from lease l
                        where l.worker_id = w.worker_id and l.device = w.device and l.ending = 'reported'
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
                    order by l.ended_at desc, m.id desc limit 1) r on w.testbed_kind <> 'emulated'
                order by w.last_seen_at desc, w.host, w.device""")
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
                        json.listOrNull(row, "deals", DeviceOffer.Deal[].class),
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
