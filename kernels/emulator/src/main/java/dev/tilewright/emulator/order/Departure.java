package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Rule;
import java.util.LinkedHashSet;
import java.util.Set;

/** The end of a CTA: it lives until its last thread exits, so it ends behind all that any of them knew. */
public final class Departure {
    private final Set<WarpOrder> warps = new LinkedHashSet<>();
    private HappenedBefore known = HappenedBefore.START;

    /** Lanes exit. */
    public void exit(WarpOrder warp, int lanes) {
        warps.add(warp);
        known = known.join(warp.glimpse(lanes));
    }

    boolean comesBehind(Access access, int lane) {
        return known.done().covers(access.agent, lane, access.epoch);
    }

    /** The rule that the end breaks if it does not come behind an access. */
    Rule broken(Access access, int lane) {
        for (WarpOrder warp : warps) {
            Missed by = warp.missed(access, lane);
            if (by != null) {
                return by.rule();
            }
        }
        return Rule.EARLY_EXIT;
    }

    /** Why nobody knew of an access, in words. */
    String missing(Access access, int lane) {
        for (WarpOrder warp : warps) {
            Missed by = warp.missed(access, lane);
            if (by != null) {
                return by.words().get();
            }
        }
        String how = access.agent.howToKnow(access.epoch);
        return how.isEmpty()
                ? "no cluster barrier, and no release and acquire of scope .cluster or wider, comes between them"
                : "no order says that " + how;
    }
}
