package dev.tilewright.api.work;

import dev.tilewright.api.task.TaskRepository;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.model.exchange.GpuTask;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Tasks and leases as a service keeps them. */
final class PostgresStorage implements SimulatedStorage {

    private static final Instant ENDED = Instant.parse("2026-11-21T10:00:00Z");

    private final JdbcClient jdbc;
    private final LeaseRepository leases;
    private final TaskRepository tasks;
    private final WorkKind kind;
    private final TransactionTemplate transactions;

    PostgresStorage(Service service) {
        this.jdbc = service.jdbc();
        this.leases = service.bean(LeaseRepository.class);
        this.tasks = service.bean(TaskRepository.class);
        this.kind = service.beans(WorkKind.class).stream()
                .filter(each -> each.types().contains(WorkId.Type.TASK))
                .findFirst()
                .orElseThrow();
        this.transactions = service.bean(TransactionTemplate.class);
    }

    @Override
    public WorkStore leases() {
        return leases;
    }

    @Override
    public WorkKind tasks() {
        return kind;
    }

    @Override
    public void submit(UUID task) {
        GpuTask text = new GpuTask.CheckText("", "", null, 1, 1);
        tasks.insert(task, "simulated", "cuda:0", null, List.of(), text, null, ENDED);
    }

    @Override
    public Optional<WorkState> next(UUID worker, boolean again) {
        TaskRepository.Taker taker = new TaskRepository.Taker(worker, "cuda:0", List.of("cuda:0"), List.of());
        Optional<TaskRepository.Queued> task = again
                ? tasks.refused(worker).stream().findFirst().flatMap(refused -> tasks.queued(taker, refused.id()))
                : tasks.queued(taker, null);
        return task.map(TaskRepository.Queued::state);
    }

    @Override
    public void end(UUID task, boolean finished) {
        if (finished) {
            jdbc.sql("update gpu_task set state = 'finished', result = '{}', finished_at = now() where id = :id")
                    .param("id", task)
                    .update();
        } else {
            tasks.fail(task, "it was given up", ENDED);
        }
    }

    @Override
    public TaskRepository.RefusalCount refused(UUID task, UUID worker) {
        return tasks.refused(task, worker, ENDED);
    }

    @Override
    public List<LeaseRow> leasesOf(UUID task) {
        List<UUID> ids = jdbc.sql("select id from lease where task_id = :task order by fence")
                .param("task", task)
                .query(UUID.class)
                .list();
        Map<UUID, LeaseRow> rows = inTransaction(() -> leases.hold(ids));
        return ids.stream().map(rows::get).toList();
    }

    @Override
    public <T> T inTransaction(Supplier<T> step) {
        return Objects.requireNonNull(transactions.execute(status -> step.get()));
    }
}
