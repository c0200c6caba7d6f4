package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Rule;
import java.util.Set;

/**
 * How strictly a kernel is checked, and for how long.
 *
 * @param stepLimit warp instructions after which a run counts as endless
 * @param accepted rules that the kernel may break
 * @param progress told now and then
 */
public record CheckOptions(long stepLimit, Set<Rule> accepted, CheckProgress progress) {
    public CheckOptions {
        accepted = Set.copyOf(accepted);
    }
}
