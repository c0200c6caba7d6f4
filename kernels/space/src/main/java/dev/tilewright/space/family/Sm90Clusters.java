package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.Major;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The rules of {@code sm90-gemm} about clusters: how large they are, and what their CTAs load for each other. */
final class Sm90Clusters {

    /** As many as any GPU of the architecture promises to place side by side. */
    private static final int MAX_CLUSTER = 8;

    private Sm90Clusters() {}

    static Stream<Constraint> rules(Sm90Operands operands) {
        Stream<Constraint> ofAll = Stream.of(
                rule("clusterSize", Sm90Clusters::size, "clusterM", "clusterN"),
                rule("multicastUnused", Sm90Clusters::multicastUnused, "clusterM", "clusterN", "multicast"));
        return Stream.concat(ofAll, majorSpans(operands));
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
                        multicast.ofA() != multicast.ofB() && (clusterM == 1 || clusterN == 1),
                        () -> "a cluster of " + clusterM + "x" + clusterN
                                + " CTAs shares one operand at most, so multicast must" + " be none or both, got "
                                + multicast));
    }

    /** Of an operand that is M- or N-major each CTA loads whole spans of the swizzle. */
    private static Stream<Constraint> majorSpans(Sm90Operands operands) {
        return Stream.concat(
                majorSpan("spanOfA", operands, operands.majorA(), "tileM", "clusterN", Multicast::ofA),
                majorSpan("spanOfB", operands, operands.majorB(), "tileN", "clusterM", Multicast::ofB));
    }

    private static Stream<Constraint> majorSpan(
            String id, Sm90Operands operands, Major major, String tile, String sharers, Predicate<Multicast> shared) {
        return major == Major.K
                ? Stream.empty()
                : Stream.of(rule(
                        id,
                        config -> majorSpan(
                                operands, tile, shared.test(Multicast.of(config)) ? config.whole(sharers) : 1, config),
                        tile,
                        sharers,
                        "multicast",
                        "swizzle"));
    }

    /** @param ctas that load the rows for each other */
    private static Optional<String> majorSpan(Sm90Operands operands, String tile, int ctas, Config config) {
        int rows = config.whole(tile);
        int loaded = LoadedRows.of(rows, ctas);
        int span = config.whole("swizzle") / operands.inputBytes();
        return when(
                loaded % span != 0,
                () -> "each CTA loads " + loaded + " elements along " + tile + ", which must be a multiple of " + span
                        + ", the span of a swizzle of " + config.whole("swizzle") + " bytes");
    }
}
