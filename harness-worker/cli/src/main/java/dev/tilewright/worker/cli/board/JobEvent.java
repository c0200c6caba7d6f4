package dev.tilewright.worker.cli.board;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an event of a job says; only what is shown, and of each type of event a part.
 *
 * @param trialBudget how many trials the user asked for; {@code null} if the study stops by itself
 * @param mostTrials how many there will be at most
 * @param contenders kernels that race for the final
 */
public record JobEvent(
        @Nullable UUID studyId,
        @Nullable Integer trialBudget,
        @Nullable Integer mostTrials,
        @Nullable Integer finished,
        @Nullable Integer completed,
        @Nullable Integer contenders,
        @Nullable Double bestTflops) {}
