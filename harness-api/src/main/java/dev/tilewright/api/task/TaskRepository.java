package dev.tilewright.api.task;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code gpu_task}: a task with the lease of whoever is at it. Every change is one statement on one row. */
@Repository
public class TaskRepository {

    /**
     * A task that this many workers held and were lost with, or refused, is not leased again; nor one that the only
     * worker that may take it has refused so often.
     */
    public static final int MOST_TRIES = 3;

    private static final String SELECT = """
            select k.*, t.kind as testbed_kind, t.device as testbed_device, t.driver, t.assembler, t.sm_count, t.clock_policy,
                w.host
            from gpu_task k left join testbed t on t.id = k.testbed_id left join worker w on w.id = k.worker_id\s""";

    private final JdbcClient jdbc;
    private final JsonColumn json;

    TaskRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * Queues a task.
     *
     * @param kind of the feature that it belongs to
     * @param pin the only GPU that may have it; {@code null} for any that the selector accepts
     * @param makers of its kernels: who says that it can make all of them may take it
     */
    public void insert(
            UUID id,
            String kind,
            String selector,
            @Nullable GpuAddress pin,
            Collection<String> makers,
            GpuTask task,
            @Nullable String submittedBy,
            Instant now) {
        jdbc.sql("""
                insert into gpu_task (id, kind, selector, pinned_host, pinned_device, makers, request, submitted_by, state,
                    created_at)
                values (:id, :kind, :selector, :host, :device, cast(:makers as text[]), cast(:request as jsonb), :by, 'queued',
                    :now)""")
                .param("host", pin == null ? null : pin.host())
                .param("device", pin == null ? null : pin.device())
                .param("id", id)
                .param("kind", kind)
                .param("selector", selector)
                .param("makers", makers.toArray(String[]::new))
                .param("request", json.write(task))
                .param("by", submittedBy)
                .param("now", at(now))
                .update();
    }

    /** Keeps a task at the GPU that has it or had it; false if it is another's by now, or nobody's. */
    boolean pin(UUID id, GpuAddress address) {
        return jdbc.sql("""
                        update gpu_task set pinned_host = :host, pinned_device = :device
                        where id = :id and state <> 'queued' and device = :device
                            and :host = (select host from worker where id = worker_id)""")
                        .param("id", id)
                        .param("host", address.host())
                        .param("device", address.device())
                        .update()
                == 1;
    }

    /** Tasks that are over and that nobody looks at any more are forgotten; returns how many. */
    public int forgetBefore(String kind, Instant before) {
        return jdbc.sql("delete from gpu_task where kind = :kind and finished_at < :before")
                .param("kind", kind)
                .param("before", at(before))
                .update();
    }

    /** Tasks of a kind; those that there are. */
    public List<TaskRow> find(String kind, Collection<UUID> ids) {
        return jdbc.sql(SELECT + "where k.id = any(cast(:ids as uuid[])) and k.kind = :kind")
                .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
                .param("kind", kind)
                .query((row, number) -> map(row))
                .list();
    }

    /** A task of a kind. */
    public Optional<TaskRow> find(String kind, UUID id) {
        return jdbc.sql(SELECT + "where k.id = :id and k.kind = :kind")
                .param("id", id)
                .param("kind", kind)
                .query((row, number) -> map(row))
                .optional();
    }

    /** The task that a worker holds or held last by this lease. */
    public Optional<TaskRow> leased(UUID workerId, UUID leaseId) {
        return jdbc.sql(SELECT + "where k.lease_id = :lease and k.worker_id = :worker")
                .param("lease", leaseId)
                .param("worker", workerId)
                .query((row, number) -> map(row))
                .optional();
    }

    /**
     * A device that asks for a task.
     *
     * @param selectors that accept the device
     * @param makers that the worker is, of kernels that the device runs
     */
    public record Taker(
            UUID workerId, String device, UUID testbedId, Collection<String> selectors, Collection<String> makers) {}

    /** Leases the oldest task that a device may take and its worker has not refused; empty if there is none. */
    public Optional<TaskRow> claim(Taker taker, Instant now, Instant expiresAt) {
        return claim(taker, null, now, expiresAt);
    }

    /** Leases one task to a worker that has refused it; empty if the device may not take it now. */
    public Optional<TaskRow> claimAgain(Taker taker, UUID task, Instant now, Instant expiresAt) {
        return claim(taker, task, now, expiresAt);
    }

    private Optional<TaskRow> claim(Taker taker, @Nullable UUID refused, Instant now, Instant expiresAt) {
        Optional<UUID> claimed = jdbc.sql("""
                update gpu_task set state = 'leased', attempts = attempts + 1, fence = fence + 1, lease_id = :lease,
                    worker_id = :worker, device = :device, testbed_id = :testbed, begun = false, leased_at = :now,
                    expires_at = :expires
                where id = (select id from gpu_task where state = 'queued'
                        and selector = any(cast(:selectors as text[])) and makers <@ cast(:makers as text[])
                        and (pinned_device is null or pinned_device = :device
                            and pinned_host = (select host from worker where id = :worker))
                        and case when cast(:refused as uuid) is null
                            then not exists (
                                select from task_refusal r where r.worker_id = :worker and r.task_id = gpu_task.id)
                            else gpu_task.id = :refused end
                    order by seq limit 1 for update skip locked)
                returning lease_id""")
                .param("lease", UUID.randomUUID())
                .param("refused", refused)
                .param("worker", taker.workerId())
                .param("device", taker.device())
                .param("testbed", taker.testbedId())
                .param("now", at(now))
                .param("expires", at(expiresAt))
                .param("selectors", taker.selectors().toArray(String[]::new))
                .param("makers", taker.makers().toArray(String[]::new))
                .query(UUID.class)
                .optional();
        return claimed.map(lease -> leased(taker.workerId(), lease).orElseThrow());
    }

    /** Lets the worker's own leases live on, which have begun by that; returns those that live. */
    public List<UUID> extend(UUID workerId, Collection<UUID> leases, Instant expiresAt) {
        return jdbc.sql("""
                update gpu_task set expires_at = greatest(expires_at, :expires), begun = true
                where state = 'leased' and worker_id = :worker and lease_id = any(cast(:ids as uuid[]))
                returning lease_id""")
                .param("ids", leases.stream().map(UUID::toString).toArray(String[]::new))
                .param("worker", workerId)
                .param("expires", at(expiresAt))
                .query(UUID.class)
                .list();
    }

    /** Lets all leases live for so long from now on; returns how many. */
    public int renew(Instant now, Duration life) {
        return jdbc.sql("update gpu_task set expires_at = :expires where state = 'leased'")
                .param("expires", at(now.plus(life)))
                .update();
    }

    /** Ends a leased task with its result; false if the lease lives no more. */
    public boolean finish(UUID leaseId, GpuTaskResult result, Instant now) {
        return result instanceof GpuTaskResult.Failed(String reason)
                ? fail(leaseId, reason, now)
                : ended(leaseId, "finished", json.write(result), null, now);
    }

    /** Ends a leased task for good. */
    public boolean fail(UUID leaseId, String error, Instant now) {
        return ended(leaseId, "failed", null, error, now);
    }

    private boolean ended(UUID leaseId, String state, @Nullable String result, @Nullable String error, Instant now) {
        return jdbc.sql("""
                        update gpu_task set state = :state, result = cast(:result as jsonb), error = :error, expires_at = null,
                            finished_at = :now
                        where lease_id = :lease and state = 'leased'""")
                        .param("lease", leaseId)
                        .param("state", state)
                        .param("result", result)
                        .param("error", error)
                        .param("now", at(now))
                        .update()
                == 1;
    }

    /**
     * A queued task that a worker has refused.
     *
     * @param makers of its kernels
     * @param pin the only GPU that may have it; {@code null} for any that the selector accepts
     * @param unable workers that have refused it
     * @param refusedAt the last time
     */
    public record RefusedTask(
            UUID id,
            String selector,
            List<String> makers,
            @Nullable GpuAddress pin,
            Set<UUID> unable,
            Instant refusedAt) {

        /** Whether the pin leaves a GPU to it. */
        public boolean mayRunOn(String host, String device) {
            return pin == null || pin.equals(new GpuAddress(host, device));
        }
    }

    /** The queued tasks that a worker has refused, the oldest first. */
    public List<RefusedTask> refused(UUID workerId) {
        return jdbc.sql("""
                        select k.id, k.selector, k.makers, k.pinned_host, k.pinned_device, r.refused_at,
                            array(select o.worker_id from task_refusal o where o.task_id = k.id) as unable
                        from task_refusal r join gpu_task k on k.id = r.task_id
                        where r.worker_id = :worker and k.state = 'queued'
                        order by k.seq""")
                .param("worker", workerId)
                .query((row, number) -> new RefusedTask(
                        row.getObject("id", UUID.class),
                        row.getString("selector"),
                        List.of((String[]) row.getArray("makers").getArray()),
                        row.getString("pinned_host") == null
                                ? null
                                : new GpuAddress(row.getString("pinned_host"), row.getString("pinned_device")),
                        Set.of((UUID[]) row.getArray("unable").getArray()),
                        JsonColumn.instant(row, "refused_at")))
                .list();
    }

    /** A worker gives a leased task back and could have done it: back to the queue. */
    public void giveBack(UUID leaseId) {
        jdbc.sql("""
                update gpu_task set state = 'queued', expires_at = null, attempts = attempts - 1
                where lease_id = :lease and state = 'leased'""").param("lease", leaseId).update();
    }

    /** A worker cannot do a leased task: back to the queue, or ended if so many workers, or one so often, could not. */
    public void refuse(UUID leaseId, String reason, Instant now) {
        jdbc.sql("""
                with held as materialized (
                    select id, worker_id from gpu_task where lease_id = :lease and state = 'leased' for update),
                noted as (
                    insert into task_refusal as r (task_id, worker_id, refused_at)
                    select id, worker_id, cast(:now as timestamptz) from held
                    on conflict (worker_id, task_id) do update set times = r.times + 1, refused_at = excluded.refused_at
                    returning r.task_id, r.worker_id, r.times),
                counted as (
                    select n.task_id, n.times, 1 + (select count(*) from task_refusal o
                        where o.task_id = n.task_id and o.worker_id <> n.worker_id) as workers from noted n)
                update gpu_task k set expires_at = null, attempts = k.attempts - 1,
                    state = case when c.workers >= :most or c.times >= :most then 'failed' else 'queued' end,
                    error = case when c.workers >= :most then :byAll when c.times >= :most then :byOne end,
                    finished_at = case when c.workers >= :most or c.times >= :most then cast(:now as timestamptz) end
                from counted c where k.id = c.task_id""")
                .param("lease", leaseId)
                .param("most", MOST_TRIES)
                .param("byAll", MOST_TRIES + " workers refused it; the last one: " + reason)
                .param(
                        "byOne",
                        "the only worker that may take it refused it " + MOST_TRIES + " times; the last time: "
                                + reason)
                .param("now", at(now))
                .update();
    }

    /**
     * Takes back what nobody extended in time: to the queue, or ended if so many workers were lost with it. A lease
     * that no heartbeat named is no attempt.
     *
     * @return how many
     */
    public int expire(Instant now) {
        return jdbc.sql("""
                update gpu_task set expires_at = null, attempts = case when begun then attempts else attempts - 1 end,
                    state = case when begun and attempts >= :most then 'failed' else 'queued' end,
                    error = case when begun and attempts >= :most then :lost end,
                    finished_at = case when begun and attempts >= :most then cast(:now as timestamptz) end
                where state = 'leased' and expires_at <= :now""")
                .param("most", MOST_TRIES)
                .param("lost", MOST_TRIES + " workers were lost while they held this")
                .param("now", at(now))
                .update();
    }

    /** Cancels a task; one that is over stays as it is. */
    public void cancel(UUID id, Instant now) {
        jdbc.sql("""
                update gpu_task set state = 'cancelled', expires_at = null, finished_at = :now
                where id = :id and state in ('queued', 'leased')""").param("id", id).param("now", at(now)).update();
    }

    private TaskRow map(ResultSet row) throws SQLException {
        UUID lease = row.getObject("lease_id", UUID.class);
        return new TaskRow(
                row.getObject("id", UUID.class),
                json.read(row, "request", GpuTask.class),
                row.getString("selector"),
                row.getString("submitted_by"),
                JsonColumn.word(row, "state", TaskState.class),
                lease == null ? null : new TaskRow.TaskLease(lease, row.getLong("fence")),
                address(row),
                row.getObject("testbed_id") == null
                        ? null
                        : WorkerRepository.testbed(row, "testbed_kind", "testbed_device"),
                json.readOrNull(row, "result", GpuTaskResult.class),
                row.getString("error"),
                JsonColumn.instant(row, "created_at"),
                JsonColumn.instantOrNull(row, "leased_at"),
                JsonColumn.instantOrNull(row, "finished_at"));
    }

    /** The GPU that has or last had the task; a worker that was deleted meanwhile has no host. */
    private static @Nullable GpuAddress address(ResultSet row) throws SQLException {
        String host = row.getString("host");
        String device = row.getString("device");
        return host == null || device == null ? null : new GpuAddress(host, device);
    }
}
