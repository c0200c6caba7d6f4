package dev.tilewright.api.textcheck;

import dev.tilewright.api.task.TaskRow;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TaskState;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A check of a text as users see it.
 *
 * @param testbed the emulator that has it; {@code null} before one has
 * @param result {@code null} before it is finished
 * @param error why nothing came of it; {@code null} if something did, or will
 */
public record TextCheckDocument(
        UUID id,
        TaskState state,
        String ptx,
        String launch,
        @Nullable String entry,
        long seed,
        int seeds,
        List<String> accept,
        @Nullable String submittedBy,
        @Nullable Testbed testbed,
        GpuTaskResult.@Nullable CheckedText result,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant finishedAt) {

    static TextCheckDocument of(TaskRow row) {
        GpuTask.CheckText task = (GpuTask.CheckText) row.task();
        return new TextCheckDocument(
                row.id(),
                row.state(),
                task.ptx(),
                task.launch(),
                task.entry(),
                task.seed(),
                task.seeds(),
                task.accept(),
                row.submittedBy(),
                row.testbed(),
                (GpuTaskResult.CheckedText) row.result(),
                row.error(),
                row.createdAt(),
                row.finishedAt());
    }
}
