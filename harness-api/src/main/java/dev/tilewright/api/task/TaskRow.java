package dev.tilewright.api.task;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TaskState;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as Postgres has it.
 *
 * @param submittedBy {@code null} if that is not known
 * @param address that has it, or had it last; {@code null} before, and where its worker is forgotten
 * @param testbed of the GPU that answered; {@code null} before
 * @param result {@code null} but of a finished one
 * @param leasedAt when it was leased last; {@code null} before
 * @param error why it failed; {@code null} but of a failed one
 */
public record TaskRow(
        UUID id,
        GpuTask task,
        String selector,
        @Nullable String submittedBy,
        TaskState state,
        @Nullable GpuAddress address,
        @Nullable Testbed testbed,
        @Nullable GpuTaskResult result,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant leasedAt,
        @Nullable Instant finishedAt) {

    /** Whether nothing more will come of it. */
    public boolean isOver() {
        return state.isOver();
    }
}
