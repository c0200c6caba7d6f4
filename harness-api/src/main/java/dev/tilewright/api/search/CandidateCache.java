package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.SearchSpace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The candidates of the studies that asked last: a study asks many times, and they are the same each time. What was
 * forgotten is found again, so that an answer never depends on what was kept.
 */
final class CandidateCache {

    private record Key(String space, Problem problem, long seed) {}

    private final int most;
    private final Map<Key, Map<Config, Double>> kept = new LinkedHashMap<>();

    CandidateCache(int most) {
        this.most = most;
    }

    /** What {@link Candidates#of} gives, which must be the same for one space, problem and seed. */
    synchronized Map<Config, Double> of(
            SearchSpace space, Problem problem, long seed, ToDoubleFunction<Config> logTime) {
        Key key = new Key(space.hash(), problem, seed);
        Map<Config, Double> known = kept.remove(key);
        Map<Config, Double> candidates = known == null ? Candidates.of(space, seed, logTime) : known;
        kept.put(key, candidates);
        if (kept.size() > most) {
            kept.remove(kept.keySet().iterator().next());
        }
        return candidates;
    }
}
