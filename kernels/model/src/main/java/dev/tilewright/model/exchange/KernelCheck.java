package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Checked;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The known facts about the text of a kernel.
 *
 * @param ptxHash SHA-256 of the text
 * @param workerId who ran the emulator
 */
public record KernelCheck(String ptxHash, Checked checked, UUID workerId, Instant checkedAt) {

    /** All that is known of one text, the newest first; one for each build of the emulator. */
    public record Known(String ptxHash, List<KernelCheck> checks) {}
}
