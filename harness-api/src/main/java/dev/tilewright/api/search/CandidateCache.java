package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Candidates;
import dev.tilewright.space.SpaceTree;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.ToDoubleFunction;

/**
 * The candidates of the studies that asked last: a study asks many times, and they are the same each time. What was
 * forgotten is found again, so that an answer never depends on what was kept.
 */
final class CandidateCache {

    /** A tree is itself alone: one that was built again finds its candidates again. */
    private record Key(SpaceTree space, Problem problem, History.Sought sought) {}

    private final int most;
    private final Map<Key, FutureTask<Map<Config, Double>>> kept = new LinkedHashMap<>();

    CandidateCache(int most) {
        this.most = most;
    }

    /**
     * The candidates of {@link Candidates#of}. Who asks for the same at the same time waits for it, who asks for
     * something else does not.
     *
     * @param logTime predicted for what is sought of the problem
     */
    Map<Config, Double> of(SpaceTree space, Knowledge known, History study, ToDoubleFunction<Config> logTime) {
        Key key = new Key(space, study.problem(), study.sought());
        FutureTask<Map<Config, Double>> candidates =
                newest(key, () -> Candidates.of(space, known.tile(), known.variants(), logTime));
        candidates.run();
        try {
            return candidates.get();
        } catch (ExecutionException failed) {
            forget(key);
            throw failed.getCause() instanceof RuntimeException bug ? bug : new IllegalStateException(failed);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the candidates were looked for", stopping);
        }
    }

    private synchronized FutureTask<Map<Config, Double>> newest(Key key, Callable<Map<Config, Double>> find) {
        FutureTask<Map<Config, Double>> known = kept.remove(key);
        FutureTask<Map<Config, Double>> candidates = known == null ? new FutureTask<>(find) : known;
        kept.put(key, candidates);
        if (kept.size() > most) {
            kept.remove(kept.keySet().iterator().next());
        }
        return candidates;
    }

    private synchronized void forget(Key key) {
        kept.remove(key);
    }
}
