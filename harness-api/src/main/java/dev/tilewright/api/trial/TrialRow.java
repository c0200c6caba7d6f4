package dev.tilewright.api.trial;

import dev.tilewright.api.platform.database.StoredJson;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.TrialState;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial as Postgres has it.
 *
 * @param attempts leases that counted
 * @param fence of its newest lease
 */
public record TrialRow(
        UUID id,
        UUID studyId,
        int ordinal,
        String family,
        Config config,
        TrialState state,
        @Nullable TrialOutcome outcome,
        int attempts,
        long fence,
        @Nullable Double errorRatio,
        @Nullable Compilation compilation,
        @Nullable Executed executed,
        @Nullable Evidence evidence,
        @Nullable Checked checked,
        @Nullable Map<String, Long> timesNs,
        @Nullable String log,
        Instant createdAt,
        @Nullable Instant finishedAt) {

    /**
     * What the traced run showed, and of it apart what every reader looks for.
     *
     * @param tilesPerSm an array, one entry for each SM
     */
    public record Evidence(
            StoredJson whole,
            StoredJson tilesPerSm,
            @Nullable Double idleTailFraction) {}
}
