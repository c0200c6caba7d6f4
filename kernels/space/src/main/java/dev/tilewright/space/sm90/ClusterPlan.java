package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.parameter.ClusterOrder;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.Multicast;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The clusters of a kernel: their size, what their CTAs load for each other, and their order. */
public record ClusterPlan(Sm90Config config) {

    static final Key<Integer> CLUSTER_M = Key.whole("clusterM");
    static final Key<Integer> CLUSTER_N = Key.whole("clusterN");
    static final Key<Multicast> MULTICAST = Key.named("multicast", Multicast.class);
    static final Key<ClusterOrder> ORDER =
            Key.named("clusterOrder", ClusterOrder.class).or(ClusterOrder.LAUNCH);

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(CLUSTER_M, CLUSTER_N, MULTICAST, ORDER);

    /** The largest cluster that every GPU of the architecture promises to run. */
    static final int MAX_CLUSTER = 8;

    /** CTAs along M or N that are tried. */
    private static final List<Integer> EXTENTS = List.of(1, 2, 4);

    private static final TypedRule<Sm90Config> SPAN_OF_A = typed(
            "spanOfA",
            config -> wholeSpans(OperandRole.A, config),
            MultiplyPlan.TILE_M,
            CLUSTER_N,
            MULTICAST,
            LoadPlan.SWIZZLE);
    private static final TypedRule<Sm90Config> SPAN_OF_B = typed(
            "spanOfB",
            config -> wholeSpans(OperandRole.B, config),
            MultiplyPlan.TILE_N,
            CLUSTER_M,
            MULTICAST,
            LoadPlan.SWIZZLE);

    /** CTAs of a cluster along M. */
    public int m() {
        return CLUSTER_M.of(config.values());
    }

    /** CTAs of a cluster along N. */
    public int n() {
        return CLUSTER_N.of(config.values());
    }

    /** CTAs of a cluster, those along K among them. */
    public int size() {
        return tiles() * config.split().parts();
    }

    /** Tiles of a cluster. */
    public int tiles() {
        return m() * n();
    }

    /** The operands that the CTAs of a cluster load for each other. */
    public Multicast multicast() {
        return MULTICAST.of(config.values());
    }

    /** The number by which a cluster takes its tiles. */
    public ClusterOrder order() {
        return ORDER.of(config.values());
    }

    /** CTAs that load rows of an operand for each other. */
    public int sharers(OperandRole role) {
        if (!multicast().of(role)) {
            return 1;
        }
        return switch (role) {
            case A -> n();
            case B -> m();
        };
    }

    /** Rows of an operand that one CTA loads at a time. */
    private int loadRows(OperandRole role) {
        return OperandTile.loadedRows(config.multiply().rows(role), sharers(role));
    }

    /**
     * No cluster is tried that is larger than an output of tiles of 64 rows and columns, or on an emulated GPU of the
     * smallest tiles.
     *
     * @param ofAnyShape whether clusters that are tried for other shapes alone are listed too
     */
    static Stream<Parameter> parameters(List<ProblemShape> groups, DeviceLimits limits, boolean ofAnyShape) {
        int m = groups.stream().mapToInt(ProblemShape::m).max().orElseThrow();
        int n = groups.stream().mapToInt(ProblemShape::n).max().orElseThrow();
        return Stream.of(
                CLUSTER_M.text(
                        ofAnyShape
                                ? EXTENTS
                                : upTo(m, limits.emulated() ? MultiplyPlan.LEAST_SWAPPED_ROWS : Sm90Config.MMA_ROWS)),
                CLUSTER_N.text(
                        ofAnyShape
                                ? EXTENTS
                                : upTo(n, limits.emulated() ? MultiplyPlan.NARROW.getFirst() : Sm90Config.MMA_ROWS)),
                MULTICAST
                        .text(Multicast.BOTH, Multicast.NONE, Multicast.A, Multicast.B)
                        .usually(Multicast.BOTH.toString(), Multicast.NONE.toString(), Multicast.A.toString()),
                ORDER.text(ClusterOrder.LAUNCH, ClusterOrder.GPC));
    }

    private static List<Integer> upTo(int extent, int smallestTile) {
        int most = Math.ceilDiv(extent, smallestTile);
        return EXTENTS.stream().filter(size -> size <= most).toList();
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(typed("clusterExtents", ClusterPlan::extents, CLUSTER_M, CLUSTER_N), SPAN_OF_A, SPAN_OF_B);
    }

    private static Optional<String> extents(Sm90Config config) {
        ClusterPlan cluster = config.cluster();
        return when(cluster.m() < 1, () -> "clusterM must be at least 1, got " + cluster.m())
                .or(() -> when(cluster.n() < 1, () -> "clusterN must be at least 1, got " + cluster.n()));
    }

    private static Optional<String> wholeSpans(OperandRole role, Sm90Config config) {
        if (config.operands().kMajor(role)) {
            return Optional.empty();
        }
        int span = config.load().swizzle() / config.operands().inputBytes();
        int rows = config.cluster().loadRows(role);
        return when(
                rows % span != 0,
                () -> "tile" + role.rows().name() + " must make each CTA load a multiple of " + span
                        + " rows of an operand that is " + role.rows() + "-major, the span of the swizzle, got "
                        + rows);
    }

    /** Whether a rule says something of these operands. */
    static boolean isAbout(TypedRule<Sm90Config> rule, Sm90Operands operands) {
        return (rule != SPAN_OF_A || !operands.kMajor(OperandRole.A))
                && (rule != SPAN_OF_B || !operands.kMajor(OperandRole.B));
    }

    /** Rules about clusters that can be built, and no GPU promises to run or nobody gains by. */
    static Stream<TypedRule<Sm90Config>> worthwhile() {
        return Stream.of(
                typed("clusterOrderUnused", ClusterPlan::orderUnused, CLUSTER_M, CLUSTER_N, ORDER),
                typed("clusterSize", ClusterPlan::tooLarge, CLUSTER_M, CLUSTER_N),
                typed("multicastUnused", ClusterPlan::multicastUnused, CLUSTER_M, CLUSTER_N, MULTICAST));
    }

    /** CTAs alone are dealt out GPC by GPC as they are. */
    private static Optional<String> orderUnused(Sm90Config config) {
        ClusterPlan cluster = config.cluster();
        return when(
                cluster.tiles() == 1 && cluster.order() != ClusterOrder.LAUNCH,
                () -> "CTAs without a cluster go to one GPC after the other, so " + ORDER.name() + " must be "
                        + ClusterOrder.LAUNCH + ", got " + cluster.order());
    }

    private static Optional<String> tooLarge(Sm90Config config) {
        int size = config.cluster().tiles();
        return when(size > MAX_CLUSTER, () -> size + " CTAs in a cluster are more than " + MAX_CLUSTER);
    }

    /**
     * A is shared along N and B along M: what nobody shares need not be said, and where one operand is, both says it.
     */
    private static Optional<String> multicastUnused(Sm90Config config) {
        ClusterPlan cluster = config.cluster();
        Multicast multicast = cluster.multicast();
        return when(
                        cluster.tiles() == 1 && multicast != Multicast.NONE,
                        () -> "a cluster of 1 CTA has nobody to share with")
                .or(() -> when(
                        multicast.of(OperandRole.A) != multicast.of(OperandRole.B)
                                && (cluster.m() == 1 || cluster.n() == 1),
                        () -> "a cluster of " + cluster.m() + "x" + cluster.n()
                                + " CTAs shares one operand at most, so multicast must be none or both, got "
                                + multicast));
    }

    static Stream<Word> words() {
        return Stream.of(
                GemmWords.multicast(),
                GemmWords.name(ORDER.name(), ClusterOrder.LAUNCH, ClusterOrder.GPC, "clusters take tiles GPC by GPC"));
    }
}
