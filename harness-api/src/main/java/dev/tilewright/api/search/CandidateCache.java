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

    private record Key(String space, Problem problem, long seed, History.Sought sought) {}

    private final int most;
    private final Map<Key, Map<Config, Double>> kept = new LinkedHashMap<>();

    CandidateCache(int most) {
        this.most = most;
    }

    /** What {@link Candidates#of} gives, which must be the same for one space and study. */
    synchronized Map<Config, Double> of(SearchSpace space, History study, ToDoubleFunction<Config> logTime) {
        Key key = new Key(space.hash(), study.problem(), study.seed(), study.sought());
        Map<Config, Double> known = kept.remove(key);
        Map<Config, Double> candidates = known == null ? Candidates.of(space, study.seed(), logTime) : known;
        kept.put(key, candidates);
        if (kept.size() > most) {
            kept.remove(kept.keySet().iterator().next());
        }
        return candidates;
    }
}
