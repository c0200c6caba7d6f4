package dev.tilewright.api.task;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkState;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tables {@code gpu_task} and {@code task_refusal}: tasks, and which workers cannot do them. */
@Repository
public class TaskRepository {

    private static final String SELECT = """
            select k.*, t.kind as testbed_kind, t.device as testbed_device, t.driver, t.assembler, t.sm_count, t.clock_policy,
                l.device, l.granted_at as leased_at, w.host
            from gpu_task k left join testbed t on t.id = k.testbed_id
            left join lateral (select * from lease where task_id = k.id order by fence desc limit 1) l on true
            left join worker w on w.id = l.worker_id\s""";

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
                        update gpu_task k set pinned_host = :host, pinned_device = :device
                        where k.id = :id and k.state <> 'queued' and exists (
                            select from (select * from lease where task_id = :id order by fence desc limit 1) l
                            join worker w on w.id = l.worker_id where l.device = :device and w.host = :host)""")
                        .param("id", id)
                        .param("host", address.host())
                        .param("device", address.device())
                        .update()
                == 1;
    }

    /** Tasks that are over and that nobody looks at any more are forgotten; returns how many. */
    public int forgetBefore(String kind, Instant before) {
        return jdbc.sql("""
                delete from gpu_task where id in (
                    select id from gpu_task where kind = :kind and finished_at < :before
                    order by id for update skip locked)""").param("kind", kind).param("before", at(before)).update();
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

    /** Holds a task until the transaction ends; false if there is none. */
    public boolean hold(UUID id) {
        return jdbc.sql("select id from gpu_task where id = :id for update")
                .param("id", id)
                .query(UUID.class)
                .optional()
                .isPresent();
    }

    /** A task that there is. */
    public TaskRow get(UUID id) {
        return jdbc.sql(SELECT + "where k.id = :id")
                .param("id", id)
                .query((row, number) -> map(row))
                .single();
    }

    /**
     * A device that asks for a task.
     *
     * @param selectors that accept the device
     * @param makers that the worker is, of kernels that the device runs
     */
    public record Taker(UUID workerId, String device, Collection<String> selectors, Collection<String> makers) {}

    /** A task that waits in the queue. */
    public record Queued(WorkState state, GpuTask task) {}

    /**
     * Holds the oldest queued task that a device may take and its worker has not refused; empty if there is none.
     *
     * @param refused the one that its worker has refused and shall have again; {@code null} for any other
     */
    public Optional<Queued> queued(Taker taker, @Nullable UUID refused) {
        return jdbc.sql("""
                select * from gpu_task where state = 'queued'
                    and selector = any(cast(:selectors as text[])) and makers <@ cast(:makers as text[])
                    and (pinned_device is null or pinned_device = :device
                        and pinned_host = (select host from worker where id = :worker))
                    and case when cast(:refused as uuid) is null
                        then not exists (select from task_refusal r where r.worker_id = :worker and r.task_id = gpu_task.id)
                        else gpu_task.id = :refused end
                order by seq limit 1 for update skip locked""")
                .param("refused", refused)
                .param("worker", taker.workerId())
                .param("device", taker.device())
                .param("selectors", taker.selectors().toArray(String[]::new))
                .param("makers", taker.makers().toArray(String[]::new))
                .query((row, number) -> new Queued(
                        LeaseRepository.state(WorkId.task(row.getObject("id", UUID.class)), row),
                        json.read(row, "request", GpuTask.class)))
                .optional();
    }

    /** A device of this testbed has a task from now on. */
    public void runsOn(UUID id, UUID testbedId) {
        jdbc.sql("update gpu_task set testbed_id = :testbed where id = :id")
                .param("testbed", testbedId)
                .param("id", id)
                .update();
    }

    /** Ends a task with its result; the caller holds it. */
    public void finish(UUID id, GpuTaskResult result, Instant now) {
        if (result instanceof GpuTaskResult.Failed(String reason)) {
            fail(id, reason, now);
        } else {
            end(id, TaskState.FINISHED, json.write(result), null, now);
        }
    }

    /** Ends a task for good; the caller holds it. */
    public void fail(UUID id, String error, Instant now) {
        end(id, TaskState.FAILED, null, error, now);
    }

    /** Cancels a task, which the caller holds; one that is over stays as it is. */
    void cancel(UUID id, Instant now) {
        end(id, TaskState.CANCELLED, null, null, now);
    }

    private void end(UUID id, TaskState state, @Nullable String result, @Nullable String error, Instant now) {
        jdbc.sql("""
                update gpu_task set state = :state, result = cast(:result as jsonb), error = :error, finished_at = :now
                where id = :id and state in ('queued', 'leased')""")
                .param("id", id)
                .param("state", state.toString())
                .param("result", result)
                .param("error", error)
                .param("now", at(now))
                .update();
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

    /**
     * How often a task was refused.
     *
     * @param times by the worker that refused it now
     * @param workers that refused it, this one among them
     */
    public record RefusalCount(int times, int workers) {}

    /** Notes that a worker cannot do a task, which the caller holds. */
    public RefusalCount refused(UUID id, UUID workerId, Instant now) {
        return jdbc.sql("""
                with noted as (
                    insert into task_refusal as r (task_id, worker_id, refused_at) values (:task, :worker, :now)
                    on conflict (worker_id, task_id) do update set times = r.times + 1, refused_at = excluded.refused_at
                    returning r.times)
                select times, 1 + (select count(*) from task_refusal where task_id = :task and worker_id <> :worker) as workers
                from noted""")
                .param("task", id)
                .param("worker", workerId)
                .param("now", at(now))
                .query((row, number) -> new RefusalCount(row.getInt("times"), row.getInt("workers")))
                .single();
    }

    private TaskRow map(ResultSet row) throws SQLException {
        return new TaskRow(
                row.getObject("id", UUID.class),
                json.read(row, "request", GpuTask.class),
                row.getString("selector"),
                row.getString("submitted_by"),
                JsonColumn.word(row, "state", TaskState.class),
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
