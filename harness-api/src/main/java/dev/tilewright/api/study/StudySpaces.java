package dev.tilewright.api.study;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.space.family.Families;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The search space of a study: what the family allows on the device, less what the user left out. */
@Service
public class StudySpaces {

    private final Families families;

    StudySpaces(Families families) {
        this.families = families;
    }

    /** The families that there are. */
    public Families families() {
        return families;
    }

    /** The whole space of a problem, as a worker of the same build makes it; its hash is what leases carry. */
    public SearchSpace whole(Problem problem, String family, int smCount) {
        return families.named(family).space(problem, DeviceLimits.of(smCount));
    }

    /** The config that all trials of a problem are timed beside; empty if the family declares none. */
    public Optional<Config> anchor(Problem problem, String family, int smCount) {
        return families.named(family).anchor(problem, DeviceLimits.of(smCount));
    }

    /**
     * The space of a problem, less what the user left out.
     *
     * @throws IllegalArgumentException if the restriction names what the family does not have
     */
    public SearchSpace space(Problem problem, String family, SpaceRestriction restriction, int smCount) {
        return whole(problem, family, smCount).restrict(restriction.values());
    }

    /** The space of a study that has a testbed. */
    public SearchSpace space(StudyRow study) {
        return space(
                study.problem(),
                study.family(),
                study.restriction(),
                study.bound().testbed().smCount());
    }
}
