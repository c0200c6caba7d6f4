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
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.TileLocation;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How tiles are cut along K: to give work to SMs for which there is no tile. Where the tiles fill the GPU twice, more
 * pieces would only cost their sums.
 */
public record SplitPlan(Sm90Config config) {

    static final Key<Integer> SPLIT_K = Key.whole("splitK").or(1);

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(SPLIT_K);

    /** Pieces of a tile that one word counts, with a mark for each that has given up. */
    public static final int MOST_PIECES = 23;

    /** Most pieces that are tried. */
    static final int MAX_PIECES_ADVISED = 8;

    private static final int WAVES = 2;

    /** Pieces along K into which each tile is cut, for clusters of their own; 1 leaves it whole. */
    public int pieces() {
        return SPLIT_K.of(config.values());
    }

    /**
     * The numbers of pieces that are tried; no pieces where even the largest tiles are many, nor of several GEMMs,
     * whose tiles a table has.
     */
    static Stream<Parameter> parameters(Problem problem, DeviceLimits limits) {
        ProblemShape shape = problem.shape();
        boolean few = limits.emulated()
                || (long) shape.m() * shape.n() <= mostTiles(limits) * MultiplyRegisters.MOST_CUT_ELEMENTS;
        int most = problem.isSingle() && few ? MAX_PIECES_ADVISED : 1;
        return Stream.of(SPLIT_K.text(IntStream.rangeClosed(1, most).boxed().toList()));
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                typed("splitPieces", SplitPlan::pieceCount, SPLIT_K),
                typed("splitTable", SplitPlan::table, SchedulePlan.LOCATION, SPLIT_K));
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

    /** Rules about one GEMM. On an emulated GPU more tiles than SMs are wanted: a proof goes deep by them. */
    static Stream<Constraint> worthwhile(Problem problem, DeviceLimits limits) {
        ProblemShape shape = problem.shape();
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
        return Stream.of(GemmWords.number(SPLIT_K.name(), 1, "k/", value -> "K is cut into " + value + " parts")
                .unlessUsual());
    }
}
