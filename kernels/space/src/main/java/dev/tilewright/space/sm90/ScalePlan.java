package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.Scales;
import dev.tilewright.space.gemm.TypedRule;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The scales of blocks of K: a stage has those of its rows of A beside the operands, and each warpgroup finds those of
 * its rows of B. Without block scales nothing of it exists.
 */
public record ScalePlan(Sm90Config config) {

    /** Fewest columns of D that a multiply has one factor for: with fewer, factors take as long as products. */
    private static final int LEAST_COLUMNS = 16;

    /** Registers of a thread for products, where those of all of its rows are multiplied at once. */
    private static final int MOST_PRODUCTS = 64;

    /** The alignment of a box in shared memory, bytes. */
    public static final int BOX_ALIGNMENT = 128;

    /** Registers for the scales of a line of B: a block's in each lane, and as many that come later. */
    private static final int OF_A_LINE = 2;

    /** Whether there are any. */
    public boolean exist() {
        return config.operands().blockScaled();
    }

    /** Bytes of the scales of A of a stage, as the alignment of a box rounds them up. */
    public int stageBytes() {
        return exist() ? Math.ceilDiv(config.multiply().tileM() * Float.BYTES, BOX_ALIGNMENT) * BOX_ALIGNMENT : 0;
    }

    /**
     * Columns of a warpgroup, beginning at its first, that lie in one block of N whichever tile it has: all of them, if
     * they divide a block.
     */
    public int columns() {
        return columns(config.multiply().warpgroupTile().columns());
    }

    private static int columns(int all) {
        return Math.min(Integer.lowestOneBit(all), Scales.BLOCK_N);
    }

    /**
     * Blocks of N that a warpgroup has rows or columns of at a time: with {@code swapAB} one for each 64 rows of
     * instructions.
     */
    public int linesOfB() {
        WarpgroupTile own = config.multiply().warpgroupTile();
        return config.multiply().swapAB() ? own.mmaDown() : columns() == own.columns() ? 1 : 2;
    }

    /**
     * How often a warpgroup goes over a stage: once, or where its sums take many registers once for each 64 rows of
     * instructions, so that it holds the products of these alone beside the sums.
     */
    public int passes() {
        MultiplyPlan multiply = config.multiply();
        return multiply.accumulators() > MOST_PRODUCTS
                ? multiply.warpgroupTile().mmaDown()
                : 1;
    }

    /** f32 registers of a thread for the products of one pass. */
    public int products() {
        return config.multiply().accumulators() / passes();
    }

    /** Registers of a thread for its factors of a block, and for the scales of B. */
    int registers() {
        WarpgroupTile own = config.multiply().warpgroupTile();
        int factors = config.multiply().swapAB() ? own.columns() / 4 : 2 * (own.columns() / columns());
        return factors * own.mmaDown() + OF_A_LINE * linesOfB();
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                typed(
                        "scaleColumns",
                        ScalePlan::scaleColumns,
                        MultiplyPlan.MODE,
                        MultiplyPlan.CONSUMERS,
                        MultiplyPlan.SWAP_AB,
                        MultiplyPlan.TILE_M,
                        MultiplyPlan.TILE_N),
                typed("scaleDepth", ScalePlan::scaleDepth, LoadPlan.TILE_K));
    }

    /** The columns of a warpgroup are of two blocks of N at the most, wherever they begin. */
    private static Optional<String> scaleColumns(Sm90Config config) {
        MultiplyPlan multiply = config.multiply();
        if (!config.operands().blockScaled() || multiply.swapAB()) {
            return Optional.empty();
        }
        int all = multiply.warpgroupTile().columns();
        return when(
                        all <= 0 || columns(all) < LEAST_COLUMNS,
                        () -> "with block scales the columns of a warpgroup must be a multiple of " + LEAST_COLUMNS
                                + ", got " + all + " of tileN = " + multiply.tileN())
                .or(() -> when(
                        all > Scales.BLOCK_N + columns(all),
                        () -> "with block scales the columns of a warpgroup must be of two blocks of " + Scales.BLOCK_N
                                + " at the most, got " + all + " of tileN = " + multiply.tileN()));
    }

    private static Optional<String> scaleDepth(Sm90Config config) {
        int tileK = config.load().tileK();
        return when(
                config.operands().blockScaled() && tileK != Scales.BLOCK_K,
                () -> "tileK must be " + Scales.BLOCK_K + " with block scales, which are of so many elements, got "
                        + tileK);
    }
}
