package dev.tilewright.api.worker;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.Protocol;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/**
 * Tables {@code worker}, {@code worker_device} and {@code testbed}. A row of the last is the device of a worker until
 * something ran on it; from then on it is a testbed, whoever has it.
 */
@Repository
public class WorkerRepository {

    private static final String DEVICES = """
            select w.id as worker_id, w.host, w.families, d.label, t.*
            from worker w join worker_device d on d.worker_id = w.id join testbed t on t.id = d.testbed_id
            """;

    private final JdbcClient jdbc;
    private final JsonColumn json;

    WorkerRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** The host of a worker that is known. */
    public Optional<String> host(UUID workerId) {
        return jdbc.sql("select host from worker where id = :worker")
                .param("worker", workerId)
                .query(String.class)
                .optional();
    }

    /**
     * Adds a worker, or changes it if the token is its own.
     *
     * @param shown hash of the token that it showed; {@code null} for none
     * @param fresh hash of the token of a new worker
     * @return the hash of its token now; empty if the id is another's
     */
    Optional<String> save(WorkerRegistration worker, @Nullable String shown, String fresh, Instant now) {
        Optional<String> own = jdbc.sql("""
                insert into worker (id, host, pid, families, protocol, registered_at, last_seen_at, token_hash)
                values (:id, :host, :pid, cast(:families as jsonb), :protocol, :now, :now, :fresh)
                on conflict (id) do update set host = excluded.host, pid = excluded.pid, families = excluded.families,
                    protocol = excluded.protocol,
                    last_seen_at = greatest(worker.last_seen_at, excluded.last_seen_at)
                where worker.token_hash = :shown
                returning token_hash""")
                .param("id", worker.workerId())
                .param("host", worker.host())
                .param("pid", worker.pid())
                .param("families", json.write(worker.families()))
                .param("protocol", Protocol.VERSION)
                .param("shown", shown)
                .param("fresh", fresh)
                .param("now", at(now))
                .query(String.class)
                .optional();
        if (own.isPresent()) {
            saveDevices(worker, now);
        }
        return own;
    }

    private void saveDevices(WorkerRegistration worker, Instant now) {
        jdbc.sql("delete from worker_device where worker_id = :id")
                .param("id", worker.workerId())
                .update();
        for (DeviceOffer offer : worker.devices()) {
            jdbc.sql("""
                    insert into worker_device (worker_id, label, testbed_id, deals)
                    values (:worker, :label, :testbed, cast(:deals as jsonb))""")
                    .param("worker", worker.workerId())
                    .param("label", offer.label())
                    .param("testbed", testbedId(offer.testbed(), now))
                    .param("deals", json.write(offer.deals()))
                    .update();
        }
    }

    private UUID testbedId(Testbed testbed, Instant now) {
        // The empty update makes an existing row come back.
        return jdbc.sql("""
                insert into testbed (id, kind, device, driver, assembler, sm_count, clock_policy, created_at)
                values (:id, :kind, :device, :driver, :assembler, :smCount, :clockPolicy, :now)
                on conflict (kind, device, driver, assembler, sm_count, clock_policy) do update set kind = excluded.kind
                returning id""")
                .param("id", UUID.randomUUID())
                .param("kind", testbed.kind().toString())
                .param("device", testbed.device())
                .param("driver", testbed.driver())
                .param("assembler", testbed.assembler())
                .param("smCount", testbed.smCount())
                .param("clockPolicy", testbed.clockPolicy())
                .param("now", at(now))
                .query(UUID.class)
                .single();
    }

    /**
     * Notes that a worker was heard, unless that is noted of the last second: a statement that changes nothing writes
     * nothing to disk. False if there is no worker with this id and the hash of its token.
     */
    boolean seen(UUID workerId, @Nullable String tokenHash, Instant now) {
        return jdbc.sql("""
                with own as (select id, last_seen_at from worker
                    where id = :id and token_hash = :token and protocol = :protocol),
                noted as (update worker set last_seen_at = :now
                    where id in (select id from own where last_seen_at < :now - interval '1 s'))
                select exists (select from own)""")
                .param("id", workerId)
                .param("token", tokenHash)
                .param("protocol", Protocol.VERSION)
                .param("now", at(now))
                .query(Boolean.class)
                .single();
    }

    /**
     * Notes that workers were heard which hold leases, and forgets that any was heard later than now; returns how many.
     */
    int renew(Instant now) {
        return jdbc.sql("""
                update worker set last_seen_at = :now where id in (select id from worker w
                    where w.last_seen_at > :now or exists (select from lease l where l.worker_id = w.id and l.ended_at is null)
                    order by id for no key update)""").param("now", at(now)).update();
    }

    /** Whether there is such a worker; one that registered with another version of this service is to register anew. */
    boolean exists(UUID workerId) {
        return jdbc.sql("select exists (select from worker where id = :id and protocol = :protocol)")
                .param("id", workerId)
                .param("protocol", Protocol.VERSION)
                .query(Boolean.class)
                .single();
    }

    /** The worker whose token has this hash. */
    Optional<UUID> identified(String tokenHash) {
        return jdbc.sql("select id from worker where token_hash = :token and protocol = :protocol")
                .param("token", tokenHash)
                .param("protocol", Protocol.VERSION)
                .query(UUID.class)
                .optional();
    }

    Optional<WorkerDevice> device(UUID workerId, String label) {
        return jdbc.sql(DEVICES + "where w.id = :id and d.label = :label")
                .param("id", workerId)
                .param("label", label)
                .query((row, number) -> device(row))
                .optional();
    }

    /** Devices of workers heard since then. */
    List<WorkerDevice> devicesSince(Instant since) {
        return jdbc.sql(DEVICES + "where w.last_seen_at >= :since order by w.registered_at, d.label")
                .param("since", at(since))
                .query((row, number) -> device(row))
                .list();
    }

    private WorkerDevice device(ResultSet row) throws SQLException {
        return new WorkerDevice(
                row.getObject("worker_id", UUID.class),
                row.getString("host"),
                row.getString("label"),
                row.getObject("id", UUID.class),
                testbed(row),
                json.read(row, "families", new TypeReference<Map<String, String>>() {})
                        .keySet());
    }

    /** Labels and testbeds of workers heard since then. */
    List<DeviceOffer> offersSince(Instant since) {
        return jdbc.sql("""
                select d.label, d.deals, t.*
                from worker w join worker_device d on d.worker_id = w.id join testbed t on t.id = d.testbed_id
                where w.last_seen_at >= :since order by w.registered_at, d.label""")
                .param("since", at(since))
                .query((row, number) -> new DeviceOffer(
                        row.getString("label"), testbed(row), json.listOrNull(row, "deals", DeviceOffer.Deal[].class)))
                .list();
    }

    /** Labels of the devices of workers heard since then, each once, in order. */
    List<String> labelsSince(Instant since) {
        return jdbc.sql("""
                select distinct d.label from worker w join worker_device d on d.worker_id = w.id
                where w.last_seen_at >= :since order by d.label""").param("since", at(since)).query(String.class).list();
    }

    /** The testbeds of workers heard since then, each once. */
    List<Testbed> testbedsSince(Instant since) {
        return jdbc.sql("""
                select * from testbed where id in (
                    select d.testbed_id from worker w join worker_device d on d.worker_id = w.id
                    where w.last_seen_at >= :since)""")
                .param("since", at(since))
                .query((row, number) -> testbed(row))
                .list();
    }

    /** Whether a worker heard since then has a device of a kind. */
    boolean offered(TestbedKind kind, Instant since) {
        return jdbc.sql("""
                select exists (
                    select from worker w join worker_device d on d.worker_id = w.id join testbed t on t.id = d.testbed_id
                    where w.last_seen_at >= :since and t.kind = :kind)""")
                .param("since", at(since))
                .param("kind", kind.toString())
                .query(Boolean.class)
                .single();
    }

    int countSince(Instant since) {
        return jdbc.sql("select count(*) from worker where last_seen_at >= :since")
                .param("since", at(since))
                .query(Integer.class)
                .single();
    }

    /**
     * Forgets workers that were not heard since then, and devices that nobody has and nobody ran anything on; leases
     * and results stay.
     */
    int forgetBefore(Instant before) {
        int forgotten = jdbc.sql("delete from worker where last_seen_at < :before")
                .param("before", at(before))
                .update();
        forgetDevices();
        return forgotten;
    }

    /** One that somebody registers at this moment is not waited for, and stays. */
    private void forgetDevices() {
        jdbc.sql("""
                delete from testbed where id in (
                    select t.id from testbed t
                    where t.ran_at is null and not exists (select from worker_device d where d.testbed_id = t.id)
                        and not exists (select from study s where s.testbed_id = t.id)
                        and not exists (select from gpu_task k where k.testbed_id = t.id)
                    for update skip locked)""").update();
    }

    /** The testbed in the current row, with the columns of the table. */
    public static Testbed testbed(ResultSet row) throws SQLException {
        return testbed(row, "kind", "device");
    }

    /** The same where others have columns of these names. */
    public static Testbed testbed(ResultSet row, String kind, String device) throws SQLException {
        return new Testbed(
                JsonColumn.word(row, kind, TestbedKind.class),
                row.getString(device),
                row.getString("driver"),
                row.getString("assembler"),
                row.getInt("sm_count"),
                row.getString("clock_policy"));
    }
}
