package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A case of a run, with its evidence.
 *
 * @param problem {@code null} of a program, which {@code tilewright gate} runs itself: runs of a service have none
 * @param verdict {@code null} before it has one
 * @param reason why, in one sentence; empty before
 * @param effect of the stage that decided; {@code null} if nothing was timed
 * @param waiver that covers a verdict that would fail the gate; {@code null} if none does
 * @param retune whether tuning again wins back what was lost; {@code null} where nothing failed, or a waiver covers it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CaseResult(
        String name,
        @Nullable ProblemDocument problem,
        Side candidate,
        Side baseline,
        Margins margins,
        double weight,
        List<String> accept,
        @Nullable String source,
        @Nullable GateVerdict verdict,
        String reason,
        @Nullable Effect effect,
        List<Stage> stages,
        @Nullable Waiver waiver,
        @Nullable Retune retune) {

    public CaseResult {
        accept = List.copyOf(accept);
        stages = List.copyOf(stages);
    }

    /** Whether both sides are programs. Sentinels of kernels say nothing of them: a program has its own. */
    @JsonIgnore
    public boolean isOfProgram() {
        return problem == null;
    }

    /**
     * One of the two kernels.
     *
     * @param kernel in words: its config, its peer
     * @param ptxHash SHA-256 of the text; {@code null} of a cubin or a peer
     * @param cubinHash {@code null} of a peer
     * @param checked what the emulator says; {@code null} if it was not asked
     * @param errorRatio largest error over its bound on the GPU; {@code null} if it was not verified there
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Side(
            String kernel,
            @Nullable String ptxHash,
            @Nullable String cubinHash,
            @Nullable TrialOutcome outcome,
            @Nullable Checked checked,
            @Nullable Double errorRatio,
            String log) {}

    /**
     * Blocks of one process.
     *
     * @param number 1, or 2 for those that confirm a {@link GateVerdict#FAIL}
     * @param verdict of its blocks alone
     * @param counted blocks
     * @param discarded blocks
     * @param discards why, each reason once with its number of blocks
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Stage(
            int number,
            @Nullable GateVerdict verdict,
            @Nullable Effect effect,
            int counted,
            int discarded,
            List<String> discards,
            String log) {}

    /** All waivers of a gate. */
    public record WaiverList(List<Waiver> items) {}

    /**
     * A failure that somebody has accepted.
     *
     * @param cubinHash of the candidate that it is for
     */
    public record Waiver(
            UUID id,
            String gate,
            @JsonProperty("case") String caseName,
            String cubinHash,
            String author,
            String reason,
            Instant expiresAt) {}
}
