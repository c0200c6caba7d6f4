package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules of {@code sm90-gemm} about clusters: how large they are, and what their CTAs load for each other. */
final class Sm90Clusters {

    /** The largest cluster that every GPU of the architecture promises to run. */
    private static final int MAX_CLUSTER = 8;

    private Sm90Clusters() {}

    static Stream<Constraint> rules() {
        return Stream.of(
                rule("clusterSize", Sm90Clusters::size, "clusterM", "clusterN"),
                rule("multicastUnused", Sm90Clusters::multicastUnused, "clusterM", "clusterN", "multicast"));
    }

    private static Optional<String> size(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(size > MAX_CLUSTER, () -> size + " CTAs in a cluster are more than " + MAX_CLUSTER);
    }

    /**
     * A is shared along N and B along M: what nobody shares need not be said, and where one operand is, both says it.
     */
    private static Optional<String> multicastUnused(Config config) {
        int clusterM = config.whole("clusterM");
        int clusterN = config.whole("clusterN");
        Multicast multicast = Multicast.of(config);
        return when(
                        clusterM * clusterN == 1 && multicast != Multicast.NONE,
                        () -> "a cluster of 1 CTA has nobody to share with")
                .or(() -> when(
                        multicast.of(OperandRole.A) != multicast.of(OperandRole.B) && (clusterM == 1 || clusterN == 1),
                        () -> "a cluster of " + clusterM + "x" + clusterN
                                + " CTAs shares one operand at most, so multicast must" + " be none or both, got "
                                + multicast));
    }
}
