package dev.tilewright.api.study;

import dev.tilewright.api.search.Knowledge;
import dev.tilewright.api.search.Prediction;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.springframework.stereotype.Component;

/**
 * The trees of search spaces, of families that are at hand: no repository is asked. The trees that were asked for last
 * are kept, since a study asks often and building one takes a fraction of a second.
 */
@Component
public class SpaceTrees {

    private static final int KEPT = 16;

    private final Map<Key, FutureTask<SpaceTree>> trees = new LinkedHashMap<>();

    /** The name of a bundle's family says its version: two families with one name are the same. */
    private record Key(Problem problem, String family, SpaceRestriction restriction, int smCount) {}

    /** The knowledge of launches of a problem before any was measured. */
    public Knowledge knowledge(Problem problem, FamilySpace family, Testbed testbed) {
        Optional<Prediction> prediction = LaunchModels.of(family, testbed).map(model -> new Prediction(model, problem));
        return new Knowledge(family.tile(), family.variants(), prediction, seed -> family.promising(problem, seed));
    }

    /**
     * The configs that are searched for a problem.
     *
     * @throws IllegalArgumentException if the restriction names what the family does not have
     */
    public SpaceTree tree(Problem problem, FamilySpace family, SpaceRestriction restriction, int smCount) {
        Key key = new Key(problem, family.family(), restriction, smCount);
        FutureTask<SpaceTree> tree = newest(key, family);
        tree.run();
        try {
            return built(tree);
        } catch (ExecutionException failed) {
            forget(key, tree);
            throw failed.getCause() instanceof RuntimeException refused ? refused : new IllegalStateException(failed);
        }
    }

    /**
     * Waits for whoever builds it, also when the service stops meanwhile: that takes a fraction of a second, and nobody
     * stores that a space could not be built.
     */
    private static SpaceTree built(FutureTask<SpaceTree> tree) throws ExecutionException {
        boolean stopping = false;
        try {
            while (true) {
                try {
                    return tree.get();
                } catch (InterruptedException stop) {
                    stopping = true;
                }
            }
        } finally {
            if (stopping) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SpaceTree build(Key key, FamilySpace family) {
        return SpaceTree.of(key.restriction().of(family, key.problem(), DeviceLimits.of(key.smCount())));
    }

    /** One that failed is built again for the next that asks: memory may have been short. */
    private synchronized void forget(Key key, FutureTask<SpaceTree> failed) {
        trees.remove(key, failed);
    }

    private synchronized FutureTask<SpaceTree> newest(Key key, FamilySpace family) {
        FutureTask<SpaceTree> known = trees.remove(key);
        FutureTask<SpaceTree> tree = known == null ? new FutureTask<>(() -> build(key, family)) : known;
        trees.put(key, tree);
        if (trees.size() > KEPT) {
            trees.remove(trees.keySet().iterator().next());
        }
        return tree;
    }
}
