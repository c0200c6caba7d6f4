package dev.tilewright.api.range;

import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The rules of the spaces of a range, which depend on M. The spaces of some M are kept; of all others only the one that
 * was asked for last, for a range has more M than there is memory for.
 */
final class RulesByRows {

    private final RangedProblem ranged;
    private final FamilySpace family;
    private final DeviceLimits limits;
    private final int[] kept;
    private final Map<Integer, SearchSpace> spaces = new ConcurrentHashMap<>();
    private final AtomicReference<Map.Entry<Integer, SearchSpace>> last;

    /** @param kept the M whose spaces are kept, in order */
    RulesByRows(RangedProblem ranged, FamilySpace family, DeviceLimits limits, int[] kept) {
        this.ranged = ranged;
        this.family = family;
        this.limits = limits;
        this.kept = kept.clone();
        int least = ranged.range().least();
        this.last = new AtomicReference<>(Map.entry(least, built(least)));
    }

    private SearchSpace built(int m) {
        return family.kernels(ranged.at(m), limits);
    }

    /**
     * The first rule that a config breaks with so many rows: a space that is searched lacks rules about what it lacks.
     */
    Optional<Violation> broken(Config config, int m) {
        if (Arrays.binarySearch(kept, m) >= 0) {
            return spaces.computeIfAbsent(m, this::built).broken(config);
        }
        Map.Entry<Integer, SearchSpace> known = last.get();
        if (known.getKey() != m) {
            known = Map.entry(m, built(m));
            last.set(known);
        }
        return known.getValue().broken(config);
    }
}
