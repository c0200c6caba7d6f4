package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.device.Device;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says which leases a device takes: those of families and spaces that this process has, and that it can run. */
final class LeaseAdmission {

    private final Families spaces;
    private final String familyBuild;
    private final Device device;
    private volatile @Nullable Known last;

    /** @param familyBuild id of the build of the kernel families in this process */
    LeaseAdmission(Families spaces, String familyBuild, Device device) {
        this.spaces = spaces;
        this.familyBuild = familyBuild;
        this.device = device;
    }

    /** Why a lease is given back; empty if it is taken. */
    Optional<String> refusal(Lease lease) {
        if (!lease.familyBuild().equals(familyBuild)) {
            return Optional.of("this worker has build " + familyBuild + " of the families "
                    + lease.spaceHashes().keySet() + ", the lease is for build " + lease.familyBuild());
        }
        return lease.spaceHashes().entrySet().stream()
                .flatMap(space -> refusal(space.getKey(), lease.problem(), space.getValue()).stream())
                .findFirst();
    }

    private Optional<String> refusal(String name, Problem problem, String spaceHash) {
        Optional<FamilySpace> family;
        try {
            family = spaces.find(name);
        } catch (IllegalArgumentException cannotBeHad) {
            return Optional.of(String.valueOf(cannotBeHad.getMessage()));
        }
        if (family.isEmpty()) {
            return Optional.of("this worker has no family " + name + ", only " + spaces.names());
        }
        return device.refusal(family.get()).or(() -> {
            String hash = known(name, problem).hash();
            return hash.equals(spaceHash)
                    ? Optional.empty()
                    : Optional.of(
                            "this worker's space of " + name + " has hash " + hash + ", the lease's has " + spaceHash);
        });
    }

    /**
     * The value or the rule by which the config of a kernel is none of the problem; empty if it is one. Its values must
     * be listed: a user may name any, and a rule need not know each of them.
     */
    Optional<Violation> violation(BuiltKernel kernel, Problem problem) {
        return known(kernel.family(), problem).kernels().violation(kernel.config());
    }

    /**
     * The same of a kernel that a search of this build found for other rows of a range, by the rules alone. Its values
     * were listed for those rows, and a family need not list them for all: {@link FamilySpace#kernels} is by default
     * what a search of this problem tries.
     */
    Optional<Violation> broken(BuiltKernel kernel, Problem problem) {
        return known(kernel.family(), problem).kernels().broken(kernel.config());
    }

    /**
     * The space of the last lease: those of a study follow each other, and all have one.
     *
     * @param hash of the space that is searched
     */
    private record Known(String family, Problem problem, SearchSpace kernels, String hash) {}

    private Known known(String family, Problem problem) {
        Known before = last;
        if (before != null && before.family().equals(family) && before.problem().equals(problem)) {
            return before;
        }
        AskedSpace space = AskedSpace.of(spaces.named(family), problem, device.limits());
        Known now = new Known(family, problem, space.kernels(), space.searched().hash());
        last = now;
        return now;
    }
}
