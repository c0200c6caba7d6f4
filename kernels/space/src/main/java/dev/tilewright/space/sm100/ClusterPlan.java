package dev.tilewright.space.sm100;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.Multicast;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The clusters of a kernel: their size, and whether their CTAs load for each other. */
public record ClusterPlan(Sm100Config config) {

    static final Key<Integer> CLUSTER_M = Key.whole("clusterM");
    static final Key<Integer> CLUSTER_N = Key.whole("clusterN");
    static final Key<Multicast> MULTICAST = Key.named("multicast", List.of(Multicast.NONE, Multicast.BOTH));

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(CLUSTER_M, CLUSTER_N, MULTICAST);

    private static final int LARGEST_CLUSTER = 16;
    private static final int LARGEST_TRIED = 4;
    /** Rows after which a swizzle repeats: what a CTA loads of a shared operand begins at a multiple. */
    private static final int SWIZZLE_ROWS = 8;

    /** CTAs of a cluster along M, both CTAs of a pair counted. */
    public int m() {
        return CLUSTER_M.of(config.values());
    }

    /** CTAs of a cluster along N. */
    public int n() {
        return CLUSTER_N.of(config.values());
    }

    /** CTAs of a cluster. */
    public int size() {
        return m() * n();
    }

    /** Whether CTAs of a cluster share what they both need. */
    public boolean multicast() {
        return MULTICAST.of(config.values()) == Multicast.BOTH;
    }

    static Stream<Parameter> parameters() {
        return Stream.of(
                CLUSTER_M.text(1, 2, 4), CLUSTER_N.text(1, 2, 4), MULTICAST.text(Multicast.BOTH, Multicast.NONE));
    }

    static Stream<TypedRule<Sm100Config>> rules() {
        return Stream.of(
                typed("groupCluster", ClusterPlan::groupCluster, MultiplyPlan.CTA_GROUP, CLUSTER_M),
                typed("clusterExtents", ClusterPlan::extents, CLUSTER_M, CLUSTER_N),
                typed("sharedRows", ClusterPlan::sharedRows, CLUSTER_N, MULTICAST),
                typed("sharedColumns", ClusterPlan::sharedColumns, MultiplyPlan.TILE_N, CLUSTER_M, MULTICAST));
    }

    private static Optional<String> groupCluster(Sm100Config config) {
        int group = config.multiply().ctaGroup();
        int m = config.cluster().m();
        return when(
                m % group != 0,
                () -> "clusterM must be a multiple of the " + group + " CTAs of a group, which lie along M, got " + m);
    }

    private static Optional<String> extents(Sm100Config config) {
        ClusterPlan cluster = config.cluster();
        return when(cluster.m() < 1, () -> "clusterM must be at least 1, got " + cluster.m())
                .or(() -> when(cluster.n() < 1, () -> "clusterN must be at least 1, got " + cluster.n()))
                .or(() -> when(
                        cluster.size() > LARGEST_CLUSTER,
                        () -> "a cluster must have at most " + LARGEST_CLUSTER + " CTAs, got " + cluster.size()));
    }

    private static Optional<String> sharedRows(Sm100Config config) {
        ClusterPlan cluster = config.cluster();
        return when(
                cluster.multicast() && Sm100Config.CTA_ROWS % (SWIZZLE_ROWS * cluster.n()) != 0,
                () -> "with multicast, clusterN must divide the rows of A into multiples of " + SWIZZLE_ROWS + ", got "
                        + cluster.n());
    }

    private static Optional<String> sharedColumns(Sm100Config config) {
        ClusterPlan cluster = config.cluster();
        int unit = SWIZZLE_ROWS * cluster.m();
        int columns = config.multiply().tileN();
        return when(
                cluster.multicast() && columns % unit != 0,
                () -> "with multicast over " + cluster.m() + " CTAs, tileN must be a multiple of " + unit + ", got "
                        + columns);
    }

    /** Rules about clusters that can be built, and nobody gains by. */
    static Stream<TypedRule<Sm100Config>> worthwhile() {
        return Stream.of(
                typed("clusterSize", ClusterPlan::tooLarge, CLUSTER_M, CLUSTER_N),
                typed(
                        "multicastUnused",
                        ClusterPlan::multicastUnused,
                        MultiplyPlan.CTA_GROUP,
                        CLUSTER_M,
                        CLUSTER_N,
                        MULTICAST));
    }

    private static Optional<String> tooLarge(Sm100Config config) {
        int size = config.cluster().size();
        return when(
                size > LARGEST_TRIED,
                () -> size + " CTAs in a cluster are more than " + LARGEST_TRIED + ": larger clusters leave SMs empty");
    }

    private static Optional<String> multicastUnused(Sm100Config config) {
        ClusterPlan cluster = config.cluster();
        int group = config.multiply().ctaGroup();
        boolean shares = cluster.n() > 1 || cluster.m() > group;
        return when(
                cluster.multicast() && !shares,
                () -> "in a cluster of " + cluster.m() + "x" + cluster.n() + " a group of " + group
                        + " CTAs has nobody to share with");
    }

    static Stream<Word> words() {
        return Stream.of(GemmWords.multicast());
    }
}
