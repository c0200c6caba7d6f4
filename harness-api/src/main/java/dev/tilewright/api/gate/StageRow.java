package dev.tilewright.api.gate;

import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a case as Postgres has it: one task for a GPU.
 *
 * @param ordinal of the case
 * @param number 1, 2 for the blocks that confirm, or {@link #TUNED}
 * @param taken {@code null} before its task is over
 */
record StageRow(
        int ordinal,
        int number,
        UUID taskId,
        long seed,
        @Nullable Taken taken) {

    /** The kernel that tuning again has found, beside the baseline: no part of what decides the case. */
    static final int TUNED = 3;

    /**
     * The outcome of the task.
     *
     * @param seconds that its GPU was held
     * @param verdict of its blocks alone
     * @param counted blocks
     * @param baselineNs time of a launch of the baseline; {@code null} if none was timed
     * @param doubts why its blocks are not to be trusted; often empty
     * @param gpu id of the GPU that timed it; {@code null} if nothing was timed
     * @param candidate what is known of the kernel; {@code null} if nothing came of the task
     */
    record Taken(
            Instant at,
            double seconds,
            GateVerdict verdict,
            String reason,
            @Nullable Effect effect,
            int counted,
            @Nullable Double baselineNs,
            List<Discard> discards,
            List<String> doubts,
            @Nullable String gpu,
            CaseResult.@Nullable Side candidate,
            CaseResult.@Nullable Side baseline,
            String log) {

        Taken {
            discards = List.copyOf(discards);
            doubts = List.copyOf(doubts);
        }

        boolean isTimed() {
            return counted > 0;
        }

        /** Whether it was its blocks that decided, and not what became of a kernel. */
        boolean isByBlocks() {
            return verdict != GateVerdict.UNCHANGED_BINARY
                    && Stream.of(candidate, baseline)
                            .allMatch(side -> side != null && side.outcome() == TrialOutcome.COMPLETED);
        }

        /** The same as other rules say. */
        Taken decided(StageDecision said) {
            return new Taken(
                    at,
                    seconds,
                    said.verdict(),
                    said.reason(),
                    said.effect(),
                    said.blocks(),
                    baselineNs,
                    discards,
                    doubts,
                    gpu,
                    candidate,
                    baseline,
                    log);
        }
    }

    /** Stages whose tasks are not over. */
    static List<StageRow> open(List<StageRow> stages) {
        return stages.stream().filter(stage -> stage.taken == null).toList();
    }

    /** The GPU that has timed; empty before one has. */
    static Optional<String> gpu(List<StageRow> stages) {
        return stages.stream()
                .map(StageRow::taken)
                .filter(Objects::nonNull)
                .map(Taken::gpu)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** The same, once its task is over. */
    StageRow with(Taken said) {
        return new StageRow(ordinal, number, taskId, seed, said);
    }

    /** The same with its blocks, which are read where they are asked for alone. */
    record WithBlocks(StageRow stage, GateBlocks.Columns blocks) {}
}
