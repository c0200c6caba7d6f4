package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The operand whose rows are the 64 rows of an instruction: A, or with {@code swapAB} B. Then tiles have rows in steps
 * of 8 and columns in steps of 64, and a warpgroup multiplies a part of the transposed output.
 */
final class SwapAB {

    static final String PARAMETER = "swapAB";

    /** Bytes of what stmatrix stores. */
    private static final int OUTPUT_BYTES = 2;

    private SwapAB() {}

    static boolean of(Config config) {
        return config.whole(PARAMETER, 0) == 1;
    }

    /** Whether a kernel can: it stores panels transposed, of 16 bits; operands along another extent are not tried. */
    static boolean possible(Sm90Operands operands) {
        return operands.outputBytes() == OUTPUT_BYTES && operands.bothKMajor();
    }

    static Parameter parameter(Sm90Operands operands) {
        return possible(operands) ? Parameter.text(PARAMETER, 0, 1) : Parameter.text(PARAMETER, 0);
    }

    /**
     * Rows of tiles: those that either operand can have, and of a swapped one as many as an instruction may have
     * columns, where no fewer would do for as many tiles. A GPU of few SMs is an emulated one: what it proves was drawn
     * for another problem.
     */
    static Parameter tileRows(List<ProblemShape> groups, Sm90Operands operands, DeviceLimits limits) {
        IntPredicate tried = rows ->
                rows % Sm90Config.MMA_ROWS == 0 || possible(operands) && (limits.emulated() || fit(groups, rows));
        return Parameter.text(
                "tileM",
                IntStream.iterate(
                                Sm90Config.MMA_ROWS,
                                rows -> rows <= Sm90Config.MAX_MMA_COLUMNS,
                                rows -> rows + Sm90Config.MMA_COLUMNS)
                        .filter(tried)
                        .toArray());
    }

    private static boolean fit(List<ProblemShape> groups, int rows) {
        int less = rows - Sm90Config.MMA_COLUMNS;
        return groups.stream().anyMatch(shape -> Math.ceilDiv(shape.m(), less) > Math.ceilDiv(shape.m(), rows));
    }

    /**
     * The rows of instructions are read again for each of their columns' operands. Swapped, a tile that is no taller
     * than wide has its longer side as rows, and reads no less; a taller one is tried both ways.
     */
    static Constraint unused() {
        return rule("swapUnused", SwapAB::unused, PARAMETER, "tileM", "tileN");
    }

    private static Optional<String> unused(Config config) {
        int tileM = config.whole("tileM");
        int tileN = config.whole("tileN");
        return when(
                of(config) && tileM % Sm90Config.MMA_ROWS == 0 && tileM <= tileN,
                () -> "a tile of " + tileM + "x" + tileN + " reads no less with A and B swapped, so " + PARAMETER
                        + " must be 0, got 1");
    }
}
