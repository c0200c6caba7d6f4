package dev.tilewright.api.gate;

import dev.tilewright.api.task.GpuAddress;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as Postgres has it, without its cases.
 *
 * @param version counts its changes
 * @param selector of the devices that may have it
 * @param address the GPU that has it; {@code null} before one has
 * @param aloneSince since when nobody offers a GPU that could go on with it; {@code null} while somebody does
 * @param retuneSeconds how long cases that fail may be tuned again, all together; {@code null} for not at all
 * @param retuning whether one is tuned again
 * @param decision version of the rules that decide
 */
record GateRunRow(
        UUID id,
        int version,
        String gate,
        @Nullable String commit,
        @Nullable String branch,
        String selector,
        long seed,
        @Nullable Double budgetSeconds,
        @Nullable Integer retuneSeconds,
        boolean retuning,
        String submittedBy,
        GateRun.State state,
        @Nullable GpuAddress address,
        @Nullable Testbed testbed,
        @Nullable Instant aloneSince,
        double gpuSeconds,
        String decision,
        @Nullable GateVerdict verdict,
        @Nullable String reason,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant finishedAt) {

    /** The same, decided again by the rules of today. */
    GateRunRow decided(GateVerdict said, String why) {
        return new GateRunRow(
                id,
                version,
                gate,
                commit,
                branch,
                selector,
                seed,
                budgetSeconds,
                retuneSeconds,
                retuning,
                submittedBy,
                state,
                address,
                testbed,
                aloneSince,
                gpuSeconds,
                GateRule.VERSION,
                said,
                why,
                error,
                createdAt,
                finishedAt);
    }
}
