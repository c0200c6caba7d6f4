package dev.tilewright.api.study;

import dev.tilewright.api.search.Knowledge;
import dev.tilewright.api.search.Prediction;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.springframework.stereotype.Service;

/**
 * The search space of a study: what the family offers on the device, less what the user left out. The trees that were
 * asked for last are kept, since a study asks often and building one takes a fraction of a second.
 */
@Service
public class StudySpaces {

    private static final int KEPT = 16;

    /** SMs of an H100 or an H200, for a space that no device is known for yet. */
    public static final int USUAL_SMS = 132;

    private final Families families;
    private final Map<Key, FutureTask<SpaceTree>> trees = new LinkedHashMap<>();

    private record Key(Problem problem, String family, SpaceRestriction restriction, int smCount) {}

    StudySpaces(Families families, Families.Brought bundles) {
        this.families = families.with(bundles);
    }

    /** The families that there are. */
    public Families families() {
        return families;
    }

    /** The whole space of a problem, as a worker of the same build makes it; its hash is what leases carry. */
    public SearchSpace whole(Problem problem, String family, int smCount) {
        return families.named(family).space(problem, DeviceLimits.of(smCount));
    }

    /** The same for the most common GPU, where no device is known yet. */
    public SearchSpace onUsualGpu(Problem problem, String family) {
        return whole(problem, family, USUAL_SMS);
    }

    /** The config that all trials of a problem are timed beside; empty if the family declares none. */
    public Optional<Config> anchor(Problem problem, String family, int smCount) {
        return families.named(family).anchor(tree(problem, family, SpaceRestriction.NONE, smCount));
    }

    /** What is known of launches of a study before any was measured. */
    public Knowledge knowledge(Problem problem, String family, Testbed testbed) {
        FamilySpace space = families.named(family);
        Optional<Prediction> prediction = LaunchModels.of(space, testbed).map(model -> new Prediction(model, problem));
        return new Knowledge(space.tile(), space.variants(), prediction);
    }

    /**
     * The configs that are searched for a problem.
     *
     * @throws IllegalArgumentException if the restriction names what the family does not have
     */
    public SpaceTree tree(Problem problem, String family, SpaceRestriction restriction, int smCount) {
        FutureTask<SpaceTree> tree = newest(new Key(problem, family, restriction, smCount));
        tree.run();
        try {
            return built(tree);
        } catch (ExecutionException failed) {
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

    /** The configs that a study that has a testbed searches. */
    public SpaceTree tree(StudyRow study) {
        return tree(
                study.problem(),
                study.options().family(),
                study.options().restriction(),
                study.bound().testbed().smCount());
    }

    private SpaceTree build(Key key) {
        SearchSpace whole = whole(key.problem(), key.family(), key.smCount());
        return SpaceTree.of(key.restriction().of(whole));
    }

    private synchronized FutureTask<SpaceTree> newest(Key key) {
        FutureTask<SpaceTree> known = trees.remove(key);
        FutureTask<SpaceTree> tree = known == null ? new FutureTask<>(() -> build(key)) : known;
        trees.put(key, tree);
        if (trees.size() > KEPT) {
            trees.remove(trees.keySet().iterator().next());
        }
        return tree;
    }
}
