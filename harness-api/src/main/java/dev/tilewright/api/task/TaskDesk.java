package dev.tilewright.api.task;

import dev.tilewright.api.bundle.BundleService;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Actions of users on tasks of any kind: to ask for one, read it, cancel it. */
@Service
public class TaskDesk {

    private final TaskRepository tasks;
    private final Leases leases;
    private final StudySpaces spaces;
    private final WorkerService workers;
    private final BundleService bundles;
    private final Clock clock;

    TaskDesk(
            TaskRepository tasks,
            Leases leases,
            StudySpaces spaces,
            WorkerService workers,
            BundleService bundles,
            Clock clock) {
        this.tasks = tasks;
        this.leases = leases;
        this.bundles = bundles;
        this.spaces = spaces;
        this.workers = workers;
        this.clock = clock;
    }

    /** Queues a task. Its kind is what users call it, such as {@code comparison}. */
    @Transactional
    public TaskRow submit(String kind, DeviceSelector device, GpuTask task, Caller caller) {
        return find(kind, queue(kind, device.toString(), null, task, caller.name()));
    }

    /**
     * Queues a task of a feature that has several; nobody looks at it by itself.
     *
     * @param pin the only GPU that may have it; {@code null} for any that the selector accepts
     */
    @Transactional
    public UUID queue(String kind, String selector, @Nullable GpuAddress pin, GpuTask task, String submittedBy) {
        task.families().forEach(family -> bundles.hold(family, "/family"));
        UUID id = UUID.randomUUID();
        tasks.insert(id, kind, selector, pin, makers(task), task, submittedBy, clock.instant());
        return id;
    }

    /** Keeps a task at the GPU that has it, also if it has to be done again; false if that one has it no more. */
    public boolean pin(UUID id, GpuAddress address) {
        return tasks.pin(id, address);
    }

    /** The existing tasks among these ids. */
    public List<TaskRow> all(String kind, List<UUID> ids) {
        return ids.isEmpty() ? List.of() : tasks.find(kind, ids);
    }

    /** Ends a task that its feature does not want any more; one that is over stays as it is. */
    @Transactional
    public void drop(UUID id) {
        if (tasks.hold(id)) {
            leases.cancel(id);
            tasks.cancel(id, clock.instant());
        }
    }

    /** Forgets tasks of a feature that keeps their results itself. */
    public int forgetBefore(String kind, Instant before) {
        return tasks.forgetBefore(kind, before);
    }

    /** Whether a live worker offers a GPU that may have a task, and that runs its kernels. */
    public boolean isOffered(String selector, @Nullable GpuAddress pin, GpuTask task) {
        DeviceSelector asked = DeviceSelector.parse(selector);
        List<String> makers = makers(task);
        return workers.devices().stream()
                .filter(device -> device.testbed().kind() == TestbedKind.CUDA
                        && asked.accepts(TestbedKind.CUDA, device.label(), true)
                        && device.families().containsAll(makers)
                        && runs(device.testbed(), task))
                .anyMatch(device -> pin == null || pin.equals(new GpuAddress(device.host(), device.label())));
    }

    private boolean runs(Testbed testbed, GpuTask task) {
        Optional<Architecture> own = Architecture.of(testbed);
        return own.isEmpty()
                || task.families().stream()
                        .flatMap(family -> spaces.families().named(family).architecture().stream())
                        .allMatch(own.get()::equals);
    }

    private List<String> makers(GpuTask task) {
        return task.families().stream()
                .map(family -> spaces.families().named(family).maker())
                .distinct()
                .toList();
    }

    /** @throws ApiProblem 404 if there is no task of this kind with the id */
    public TaskRow find(String kind, UUID id) {
        return tasks.find(kind, id).orElseThrow(() -> ApiProblem.notFound(kind, id));
    }

    /**
     * Cancels a task; one that is over stays as it is.
     *
     * @throws ApiProblem 403 if somebody else asked for it, 404 if there is none
     */
    @Transactional
    public TaskRow cancel(String kind, UUID id, Caller caller) {
        caller.requireMayCancel(kind, id, find(kind, id).submittedBy());
        drop(id);
        return find(kind, id);
    }
}
