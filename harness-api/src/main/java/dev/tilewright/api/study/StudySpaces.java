package dev.tilewright.api.study;

import dev.tilewright.api.search.Knowledge;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import java.util.Optional;
import org.springframework.stereotype.Service;

/**
 * The search spaces of families by their names: what a family offers on a device, less what the user left out. A family
 * that a bundle brings is read from the database.
 */
@Service
public class StudySpaces {

    /** SMs of an H100 or an H200, for a space that no device is known for yet. */
    public static final int USUAL_SMS = 132;

    private final Families families;
    private final SpaceTrees trees;

    StudySpaces(Families families, Families.Brought bundles, SpaceTrees trees) {
        this.families = families.with(bundles);
        this.trees = trees;
    }

    /** The families that there are. */
    public Families families() {
        return families;
    }

    /** The whole space of a problem, as a worker of the same build makes it; its hash is what leases carry. */
    public SearchSpace whole(Problem problem, String family, int smCount) {
        return families.named(family).space(problem, DeviceLimits.of(smCount));
    }

    /** The space of a problem for a config that somebody names. */
    public AskedSpace asked(Problem problem, String family, int smCount) {
        return AskedSpace.of(families.named(family), problem, DeviceLimits.of(smCount));
    }

    /** The same for the most common GPU, where no device is known yet. */
    public AskedSpace askedOnUsualGpu(Problem problem, String family) {
        return asked(problem, family, USUAL_SMS);
    }

    /**
     * The part of the space of a problem that a restriction leaves.
     *
     * @throws IllegalArgumentException if the restriction names what the family does not have
     */
    public SearchSpace restricted(Problem problem, String family, SpaceRestriction restriction, int smCount) {
        return restriction.of(families.named(family), problem, DeviceLimits.of(smCount));
    }

    /** The config that all trials of a problem are timed beside; empty if the family declares none. */
    public Optional<Config> anchor(Problem problem, String family, int smCount) {
        return families.named(family).anchor(tree(problem, family, SpaceRestriction.NONE, smCount));
    }

    /** Knowledge of launches of a study before any measurement. */
    public Knowledge knowledge(Problem problem, String family, Testbed testbed) {
        return trees.knowledge(problem, families.named(family), testbed);
    }

    /**
     * The configs that are searched for a problem.
     *
     * @throws IllegalArgumentException if the restriction names what the family does not have
     */
    public SpaceTree tree(Problem problem, String family, SpaceRestriction restriction, int smCount) {
        return trees.tree(problem, families.named(family), restriction, smCount);
    }

    /** The configs that a study that has a testbed searches. */
    public SpaceTree tree(StudyRow study) {
        return tree(
                study.problem(),
                study.options().family(),
                study.options().restriction(),
                study.bound().testbed().smCount());
    }
}
