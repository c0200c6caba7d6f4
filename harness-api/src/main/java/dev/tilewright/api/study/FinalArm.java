package dev.tilewright.api.study;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that took part in a final.
 *
 * @param trialId {@code null} for a peer
 * @param ordinal number of the trial in its study; {@code null} likewise
 */
public record FinalArm(
        UUID id,
        String name,
        @Nullable UUID trialId,
        @Nullable Integer ordinal,
        String family,
        Config config,
        TrialOutcome outcome,
        String log) {

    /** Whether it is somebody else's kernel. */
    public boolean isPeer() {
        return trialId == null;
    }

    /** How much faster one arm is than another. */
    public record Against(UUID armId, UUID peerId, Mode mode, Ratio ratio) {}
}
