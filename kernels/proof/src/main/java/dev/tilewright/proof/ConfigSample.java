package dev.tilewright.proof;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.BalancedDraws;
import dev.tilewright.space.SpaceTree;
import java.util.List;
import java.util.Set;

/** Configs of a space for proofs: the same seed, the same configs, and the tile schedulers in turn. */
public final class ConfigSample {

    private ConfigSample() {}

    /** Draws configs, or takes all if there are fewer than wanted. */
    public static List<Config> of(SpaceTree space, int count, long seed) {
        return BalancedDraws.of(space, Set.of(), 0, count, seed);
    }
}
