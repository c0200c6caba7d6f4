package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.trial.Testbed;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A comparison, as the service answers it.
 *
 * @param state queued, leased, finished, failed or cancelled
 * @param testbed the GPU that has it; {@code null} before one has
 * @param result {@code null} before it is finished
 * @param error why it failed; {@code null} if it did not
 */
public record ComparisonDocument(
        UUID id,
        String state,
        ProblemDocument problem,
        GpuTask.Side first,
        GpuTask.Side second,
        @Nullable Testbed testbed,
        @Nullable Compared result,
        @Nullable String error) {

    /** Whether no GPU has it yet. */
    public boolean isWaiting() {
        return state.equals("queued");
    }

    /** Whether nothing more comes. */
    public boolean isOver() {
        return !isWaiting() && !state.equals("leased");
    }
}
