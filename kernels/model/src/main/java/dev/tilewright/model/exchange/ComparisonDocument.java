package dev.tilewright.model.exchange;

import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as users see it.
 *
 * @param submittedBy name of the token that it was submitted with
 * @param testbed the GPU that has it; {@code null} before one has
 * @param result {@code null} before it is finished
 * @param error why it failed; {@code null} if it did not
 */
public record ComparisonDocument(
        UUID id,
        TaskState state,
        ProblemDocument problem,
        GpuTask.Side first,
        GpuTask.Side second,
        boolean measureEqual,
        long seed,
        String device,
        @Nullable String submittedBy,
        @Nullable Testbed testbed,
        @Nullable Compared result,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant finishedAt) {}
