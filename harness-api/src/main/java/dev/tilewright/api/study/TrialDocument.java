package dev.tilewright.api.study;

import dev.tilewright.api.platform.database.StoredJson;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.TrialState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial as users see it.
 *
 * @param attempts leases that counted: 1 if the first try brought the outcome
 * @param outcome {@code null} until it is finished
 * @param tflops sustained median of its last stage; {@code null} if it was not measured, or is not believed
 * @param tilesPerSm one entry for each SM; {@code null} if it was not traced
 * @param evidence the rest of what the traced run showed
 * @param checked what the emulator said of the text; {@code null} if it was not asked
 */
public record TrialDocument(
        UUID id,
        int ordinal,
        String family,
        Config config,
        TrialState state,
        @Nullable TrialOutcome outcome,
        int attempts,
        @Nullable Double errorRatio,
        @Nullable Integer registers,
        @Nullable Integer spillBytes,
        @Nullable Integer sharedBytes,
        @Nullable String ptxHash,
        @Nullable String cubinHash,
        @Nullable Executed executed,
        List<MeasurementDocument> measurements,
        @Nullable Double tflops,

        @Schema(implementation = int[].class) @Nullable StoredJson tilesPerSm,

        @Nullable Double idleTailFraction,

        @Schema(implementation = SchedulerEvidence.class) @Nullable
        StoredJson evidence,

        @Nullable Checked checked,
        @Nullable Map<String, Long> timesNs,
        @Nullable String log,
        Instant createdAt,
        @Nullable Instant finishedAt) {

    /** The trial with its measurements. */
    public static TrialDocument of(TrialRow trial, Problem problem, List<Measurement> measurements) {
        Compilation compilation = trial.compilation();
        TrialRow.Evidence evidence = trial.evidence();
        return new TrialDocument(
                trial.id(),
                trial.ordinal(),
                trial.family(),
                trial.config(),
                trial.state(),
                trial.outcome(),
                trial.attempts(),
                trial.errorRatio(),
                compilation == null ? null : compilation.registers(),
                compilation == null ? null : compilation.spillBytes(),
                compilation == null ? null : compilation.sharedBytes(),
                compilation == null ? null : compilation.ptxHash(),
                compilation == null ? null : compilation.cubinHash(),
                trial.executed(),
                MeasurementDocument.of(problem, measurements),
                trial.outcome() == TrialOutcome.IMPLAUSIBLE
                        ? null
                        : Standing.lastSustained(measurements)
                                .map(last -> problem.tflops(last.medianNs()))
                                .orElse(null),
                evidence == null ? null : evidence.tilesPerSm(),
                evidence == null ? null : evidence.idleTailFraction(),
                evidence == null ? null : evidence.whole(),
                trial.checked(),
                trial.timesNs(),
                trial.log(),
                trial.createdAt(),
                trial.finishedAt());
    }
}
