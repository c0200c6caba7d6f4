package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.rule;
import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.gemm.GemmRules;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.GridSize;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.parameter.TileLocation;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How tiles are cut along K: to give work to SMs for which there is no tile. Where the tiles fill the GPU twice, more
 * pieces would only cost their sums. Pieces of a tile are multiplied by clusters of their own and added up in a
 * workspace, or they are the parts of the CTAs of one cluster and added up in distributed shared memory.
 */
public record SplitPlan(Sm90Config config) {

    static final Key<Integer> SPLIT_K = Key.whole("splitK").or(1);

    static final Key<Integer> CLUSTER_K = Key.whole("clusterK").or(1);

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(SPLIT_K, CLUSTER_K);

    /** CTAs of a cluster along K: with powers of two the remainders are masks, and a cluster fits where others do. */
    private static final List<Integer> PARTS = List.of(1, 2, 4, 8);

    /** Most of them. */
    static final int MOST_PARTS = PARTS.getLast();

    /** Pieces of a tile that one word counts, with a mark for each that has given up. */
    public static final int MOST_PIECES = 23;

    /** Most pieces that are tried. */
    static final int MAX_PIECES_ADVISED = 8;

    private static final int WAVES = 2;

    private static final int USUAL_TILE_ELEMENTS = 128 * 128;

    /** Pieces along K into which each tile is cut, for clusters of their own; 1 leaves it whole. */
    public int pieces() {
        return SPLIT_K.of(config.values());
    }

    /** CTAs of a cluster that share the depth of a tile, each with a part of K; 1 if each has a tile of its own. */
    public int parts() {
        return CLUSTER_K.of(config.values());
    }

    /** Parts that add up panels of a warpgroup: each panel is added up by one of them. */
    public int owners() {
        return Math.min(parts(), config.epilogue().panels());
    }

    /** Panels of a warpgroup that a part adds up, at the most. */
    public int panelsOfPart() {
        return Math.ceilDiv(config.epilogue().panels(), parts());
    }

    /** Bytes of the f32 sums of a panel. */
    public int panelSumsBytes() {
        int columns = Math.min(
                config.epilogue().panelN(), config.multiply().warpgroupTile().columns());
        return Sm90Config.MMA_ROWS * columns * Float.BYTES;
    }

    /** Bytes of shared memory in which the warpgroups of a CTA receive sums of the other parts. */
    public int roomBytes() {
        return config.multiply().consumers() * (parts() - 1) * panelsOfPart() * panelSumsBytes();
    }

    /** Whether that memory is used for one tile after another, so that the other parts must know when it is free. */
    public boolean refillsRoom() {
        return config.schedule().scheduler() != Scheduler.SINGLE;
    }

    /** Bytes of shared memory for sums, barriers among them. */
    int sharedBytes() {
        if (parts() == 1) {
            return 0;
        }
        int barriers = panelsOfPart() + (refillsRoom() ? 1 : 0);
        return roomBytes() + config.multiply().consumers() * barriers * Sm90SharedMemory.BARRIER_BYTES;
    }

    /**
     * The numbers of pieces that are tried; no pieces where even the largest tiles are many, nor of several GEMMs,
     * whose tiles a table has.
     *
     * @param ofAnyShape whether what is tried for other shapes of one GEMM alone is listed too
     */
    static Stream<Parameter> parameters(Problem problem, DeviceLimits limits, boolean ofAnyShape) {
        boolean all = ofAnyShape && problem.isSingle();
        int most = all || isFew(problem, limits, mostTiles(limits) * MultiplyRegisters.MOST_CUT_ELEMENTS)
                ? MAX_PIECES_ADVISED
                : 1;
        Parameter pieces = SPLIT_K.text(IntStream.rangeClosed(1, most).boxed().toList());
        return all || hasParts(problem, limits) ? Stream.of(pieces, CLUSTER_K.text(PARTS)) : Stream.of(pieces);
    }

    /**
     * Whether a space that is searched has {@code clusterK}: where usual tiles leave half of the SMs idle. With all
     * parts of a tile resident at one time there is nothing to gain beyond one wave.
     */
    static boolean hasParts(Problem problem, DeviceLimits limits) {
        return isFew(problem, limits, limits.smCount() / 2L * USUAL_TILE_ELEMENTS);
    }

    private static boolean isFew(Problem problem, DeviceLimits limits, long mostElements) {
        ProblemShape shape = problem.shape();
        return problem.isSingle() && (limits.emulated() || (long) shape.m() * shape.n() <= mostElements);
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                typed("splitPieces", SplitPlan::pieceCount, SPLIT_K),
                typed("splitTable", SplitPlan::table, SchedulePlan.LOCATION, SPLIT_K),
                typed("clusterParts", SplitPlan::partCount, CLUSTER_K),
                typed("clusterPartsTable", SplitPlan::partsTable, SchedulePlan.LOCATION, CLUSTER_K),
                typed("splitTwice", SplitPlan::twice, SPLIT_K, CLUSTER_K));
    }

    private static Optional<String> partCount(Sm90Config config) {
        int parts = config.split().parts();
        return when(!PARTS.contains(parts), () -> "clusterK must be one of " + PARTS + ", got " + parts);
    }

    private static Optional<String> partsTable(Sm90Config config) {
        int parts = config.split().parts();
        return when(
                parts > 1 && config.schedule().location() == TileLocation.TABLE,
                () -> "clusterK must be 1 where tiles stand in a table, whose GEMMs may have fewer blocks of K than"
                        + " a cluster has parts, got " + parts);
    }

    private static Optional<String> twice(Sm90Config config) {
        SplitPlan split = config.split();
        return when(
                split.pieces() > 1 && split.parts() > 1,
                () -> "splitK must be 1 where the CTAs of a cluster share the depth of a tile, got " + split.pieces()
                        + " with clusterK = " + split.parts());
    }

    private static Optional<String> pieceCount(Sm90Config config) {
        int pieces = config.split().pieces();
        return when(pieces < 1, () -> "splitK must be at least 1, got " + pieces)
                .or(() ->
                        when(pieces > MOST_PIECES, () -> "splitK must be at most " + MOST_PIECES + ", got " + pieces));
    }

    private static Optional<String> table(Sm90Config config) {
        int pieces = config.split().pieces();
        return when(
                pieces > 1 && config.schedule().location() == TileLocation.TABLE,
                () -> "splitK must be 1 where tiles stand in a table, which gives each of them whole, got " + pieces);
    }

    /**
     * Rules about one GEMM. On an emulated GPU more tiles than SMs are wanted: a proof goes deep by them.
     *
     * @param parts whether the space has {@code clusterK}
     */
    static Stream<Constraint> worthwhile(Problem problem, DeviceLimits limits, boolean parts) {
        return parts
                ? Stream.concat(ofPieces(problem.shape(), limits), ofParts(problem, limits))
                : ofPieces(problem.shape(), limits);
    }

    private static Stream<Constraint> ofParts(Problem problem, DeviceLimits limits) {
        ProblemShape shape = problem.shape();
        return Stream.of(
                rule(
                        "clusterPartsDepth",
                        values -> depth(shape, LoadPlan.TILE_K.of(values), CLUSTER_K.of(values)),
                        Key.names(LoadPlan.TILE_K, CLUSTER_K)),
                rule(
                        "clusterPartsTiles",
                        values -> limits.emulated()
                                ? Optional.empty()
                                : tiles(
                                        shape,
                                        limits,
                                        MultiplyPlan.TILE_M.of(values),
                                        MultiplyPlan.TILE_N.of(values),
                                        CLUSTER_K.of(values)),
                        Key.names(MultiplyPlan.TILE_M, MultiplyPlan.TILE_N, CLUSTER_K)),
                rule(
                        "clusterPartsSize",
                        values -> partsFit(
                                limits.freeSms(problem.scenario()),
                                ClusterPlan.CLUSTER_M.of(values) * ClusterPlan.CLUSTER_N.of(values),
                                CLUSTER_K.of(values)),
                        Key.names(ClusterPlan.CLUSTER_M, ClusterPlan.CLUSTER_N, CLUSTER_K)),
                rule(
                        "clusterPartsGrid",
                        values -> partsGrid(values.whole(GridSize.PARAMETER), CLUSTER_K.of(values)),
                        GridSize.PARAMETER,
                        CLUSTER_K.name()));
    }

    private static Optional<String> partsFit(int sms, int tiles, int parts) {
        int most = Math.min(sms, ClusterPlan.MAX_CLUSTER);
        return when(
                parts > 1 && tiles * parts > most,
                () -> tiles * parts + " CTAs in a cluster, " + parts + " for each tile, are more than " + most);
    }

    /** The tiles are few: there is no second wave for which SMs could be left out. */
    private static Optional<String> partsGrid(int gridSize, int parts) {
        return when(
                parts > 1 && gridSize != GridSize.ALL_RESIDENT,
                () -> GridSize.PARAMETER + " must be " + GridSize.ALL_RESIDENT + " where clusterK = " + parts + ", got "
                        + gridSize);
    }

    private static Stream<Constraint> ofPieces(ProblemShape shape, DeviceLimits limits) {
        return Stream.of(
                rule(
                        "splitDepth",
                        values -> depth(shape, LoadPlan.TILE_K.of(values), SPLIT_K.of(values)),
                        Key.names(LoadPlan.TILE_K, SPLIT_K)),
                rule(
                        "splitTiles",
                        values -> limits.emulated()
                                ? Optional.empty()
                                : tiles(
                                        shape,
                                        limits,
                                        MultiplyPlan.TILE_M.of(values),
                                        MultiplyPlan.TILE_N.of(values),
                                        SPLIT_K.of(values)),
                        Key.names(MultiplyPlan.TILE_M, MultiplyPlan.TILE_N, SPLIT_K)));
    }

    private static Optional<String> depth(ProblemShape shape, int tileK, int pieces) {
        int blocks = Math.ceilDiv(shape.k(), tileK);
        return when(
                pieces > blocks,
                () -> "k = " + shape.k() + " has " + blocks + " blocks of " + tileK + ", too few for " + pieces
                        + " pieces of a tile");
    }

    /** Tiles that keep all SMs busy without being cut. */
    private static long mostTiles(DeviceLimits limits) {
        return (long) WAVES * limits.smCount();
    }

    private static Optional<String> tiles(ProblemShape shape, DeviceLimits limits, int tileM, int tileN, int pieces) {
        long tiles = GemmRules.tiles(shape, tileM, tileN);
        return when(
                pieces > 1 && tiles > mostTiles(limits),
                () -> tiles + " tiles of " + tileM + "x" + tileN + " are more than " + mostTiles(limits)
                        + ", two for each SM, so " + pieces + " pieces of each would give nobody work");
    }

    static Stream<Word> words() {
        return Stream.of(
                GemmWords.number(SPLIT_K.name(), 1, "k/#", value -> "K is cut into " + value + " parts"),
                GemmWords.number(
                        CLUSTER_K.name(),
                        1,
                        "ck#",
                        value -> value + " CTAs of a cluster share the depth of a tile and add up its parts"));
    }
}
