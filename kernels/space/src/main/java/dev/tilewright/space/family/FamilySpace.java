package dev.tilewright.space.family;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.SearchSpace;
import java.util.Optional;

/** A kernel family as the search sees it. */
public interface FamilySpace {

    /** Name of the family, such as {@code sm90-gemm}. */
    String family();

    /** The only GPUs that run its kernels; empty if all do. An emulated GPU runs those of all families. */
    default Optional<Architecture> architecture() {
        return Optional.empty();
    }

    /**
     * Why this family cannot compute the problem at all, with the value and the rule, such as {@code "k = 100 times 2
     * bytes is 200: rows of A must be a multiple of 16 bytes for the tensor map"}; empty if it can.
     */
    Optional<String> refusal(Problem problem);

    /**
     * A config that is known to be good, beside which all trials of a study are timed so that they can be compared over
     * hours, devices and drivers: the same for the same problem and device. It need not be in what a user left of the
     * space. Empty if the family declares none.
     */
    default Optional<Config> anchor(Problem problem, DeviceLimits limits) {
        return Optional.empty();
    }

    /** All configs worth thinking of for the problem on the device, with the rules between them. */
    SearchSpace space(Problem problem, DeviceLimits limits);
}
