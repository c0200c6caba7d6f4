package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Into how many pieces along K the tiles of a GEMM are cut: to give work to SMs for which there is no tile. Where the
 * tiles fill the GPU twice, more pieces would only cost their sums.
 */
final class SplitRules {

    static final String SPLIT_K = "splitK";

    /** Most pieces that are tried. */
    static final int MAX_PIECES_ADVISED = 8;

    private static final int WAVES = 2;

    private SplitRules() {}

    /**
     * The numbers of pieces that are tried; no pieces where even the largest tiles are many, nor of several GEMMs,
     * whose tiles a table has.
     */
    static Parameter parameter(Problem problem, DeviceLimits limits) {
        if (!problem.isSingle()) {
            return Parameter.text(SPLIT_K, 1);
        }
        ProblemShape shape = problem.shape();
        boolean few = limits.emulated()
                || (long) shape.m() * shape.n() <= mostTiles(limits) * Sm90Registers.MOST_CUT_ELEMENTS;
        return few ? Parameter.text(SPLIT_K, 1, 2, 3, 4, 5, 6, 7, 8) : Parameter.text(SPLIT_K, 1);
    }

    /** On an emulated GPU more tiles than SMs are wanted: a proof goes deep by them. */
    static Stream<Constraint> of(Problem problem, DeviceLimits limits) {
        ProblemShape shape = problem.shape();
        return Stream.of(
                rule("splitDepth", config -> depth(shape, config), "tileK", SPLIT_K),
                rule(
                        "splitTiles",
                        config -> limits.emulated() ? Optional.empty() : tiles(shape, limits, config),
                        "tileM",
                        "tileN",
                        SPLIT_K));
    }

    private static Optional<String> depth(ProblemShape shape, Config config) {
        int blocks = Math.ceilDiv(shape.k(), config.whole("tileK"));
        int pieces = config.whole(SPLIT_K, 1);
        return when(
                pieces > blocks,
                () -> "k = " + shape.k() + " has " + blocks + " blocks of " + config.whole("tileK") + ", too few for "
                        + pieces + " pieces of a tile");
    }

    /** Tiles that keep all SMs busy without being cut. */
    private static long mostTiles(DeviceLimits limits) {
        return (long) WAVES * limits.smCount();
    }

    private static Optional<String> tiles(ProblemShape shape, DeviceLimits limits, Config config) {
        long tiles = GemmRules.tiles(shape, config.whole("tileM"), config.whole("tileN"));
        int pieces = config.whole(SPLIT_K, 1);
        return when(
                pieces > 1 && tiles > mostTiles(limits),
                () -> tiles + " tiles of " + config.whole("tileM") + "x" + config.whole("tileN") + " are more than "
                        + mostTiles(limits) + ", two for each SM, so " + pieces
                        + " pieces of each would give nobody work");
    }
}
