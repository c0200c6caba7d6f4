package dev.tilewright.api.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tilewright.api.platform.database.StoredJson;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.TrialState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial as Postgres has it, and as users see it.
 *
 * @param outcome {@code null} until it is finished
 * @param attempts leases that counted: 1 if the first try brought the outcome
 * @param tilesPerSm one entry for each SM; {@code null} if it was not traced
 * @param evidence the rest of what the traced run showed; without the times of single tiles where there are many trials
 * @param checked what the emulator said of the text; {@code null} if it was not asked
 */
public record TrialRow(
        UUID id,
        @JsonIgnore UUID studyId,
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

        @Schema(implementation = int[].class) @Nullable StoredJson tilesPerSm,

        @Nullable Double idleTailFraction,

        @Schema(implementation = SchedulerEvidence.class) @Nullable
        StoredJson evidence,

        @Nullable Checked checked,
        @Nullable Map<String, Long> timesNs,
        @Nullable String log,
        Instant createdAt,
        @Nullable Instant finishedAt) {}
