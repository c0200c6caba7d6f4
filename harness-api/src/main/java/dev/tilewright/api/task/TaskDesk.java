package dev.tilewright.api.task;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** What users may do with tasks, whatever kind they are of: ask for one, look at it, cancel it. */
@Service
public class TaskDesk {

    private final TaskRepository tasks;
    private final StudySpaces spaces;
    private final Clock clock;

    TaskDesk(TaskRepository tasks, StudySpaces spaces, Clock clock) {
        this.tasks = tasks;
        this.spaces = spaces;
        this.clock = clock;
    }

    /** Queues a task. Its kind is what users call it, such as {@code comparison}. */
    public TaskRow submit(String kind, DeviceSelector device, GpuTask task, Caller caller) {
        UUID id = UUID.randomUUID();
        List<String> makers = task.families().stream()
                .map(family -> spaces.families().named(family).maker())
                .distinct()
                .toList();
        tasks.insert(id, kind, device.toString(), makers, task, caller.name(), clock.instant());
        return find(kind, id);
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
    public TaskRow cancel(String kind, UUID id, Caller caller) {
        caller.requireMayCancel(kind, id, find(kind, id).submittedBy());
        tasks.cancel(id, clock.instant());
        return find(kind, id);
    }
}
