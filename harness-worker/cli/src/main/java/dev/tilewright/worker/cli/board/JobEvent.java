package dev.tilewright.worker.cli.board;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an event of a job says; only what is shown, and of each type of event a part.
 *
 * @param trialBudget how many trials there will be; {@code null} if the study stops by itself
 * @param finalists kernels of ours that the final has room for
 */
public record JobEvent(
        @Nullable UUID studyId,
        @Nullable Integer trialBudget,
        @Nullable Integer finished,
        @Nullable Integer completed,
        @Nullable Integer finalists,
        @Nullable Double bestTflops) {}
