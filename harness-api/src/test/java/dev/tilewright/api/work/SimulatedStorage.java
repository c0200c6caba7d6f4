package dev.tilewright.api.work;

import dev.tilewright.api.task.TaskRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Where a simulated queue keeps its tasks and leases. */
interface SimulatedStorage {

    WorkStore leases();

    WorkKind tasks();

    /** Queues a new task. */
    void submit(UUID task);

    /**
     * Holds the oldest queued task that a worker has not refused; of those that it has refused, if it is {@code again}.
     */
    Optional<WorkState> next(UUID worker, boolean again);

    /** Ends a task, which the caller holds: with its result, or without. */
    void end(UUID task, boolean finished);

    /** Notes a refusal: how often this worker refused it, and how many workers did. */
    TaskRepository.RefusalCount refused(UUID task, UUID worker);

    /** The state of a task. */
    default WorkState state(UUID task) {
        return leases().state(WorkId.task(task));
    }

    /** All leases of a task, oldest first. */
    List<LeaseRow> leasesOf(UUID task);

    /** Runs a step as one transaction. */
    <T> T inTransaction(Supplier<T> step);
}
