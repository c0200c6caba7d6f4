package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TilePlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.WarpgroupTile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The factors by which a thread of a warpgroup multiplies its products of a block of K: the scale of a row of A times
 * that of a block of B. Of A it takes those of the rows of D that it holds, from the stage: two for 64 rows of
 * instructions, or with {@code swapAB} one for each of its columns. Of B all of its columns have one, or where they lie
 * in two blocks of N one each; with {@code swapAB} each 64 rows of instructions have one. A row beyond A has no scale:
 * what is computed there is not stored.
 */
final class ScaleReader {

    /** Rows of D below each other that a thread holds of an instruction: one, and one so far below. */
    private static final int ROWS_APART = 8;

    private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(Scales.BLOCK_N);

    private final StageScales scales;
    private final LineScales ofB;
    /** Whether the rows of instructions are rows of B: then their columns are rows of D. */
    private final boolean rowsOfB;

    private final WarpgroupTile part;
    /** Columns that have one factor for a row, where rows of instructions are rows of D. */
    private final int columns;

    private final int tileN;
    private final Warpgroup own;
    /** Bytes of a slot before the scale of the first row that this thread holds. */
    private final Reg<B32> firstOfA;

    /** Of each 64 rows of instructions. */
    private final List<List<Reg<F32>>> factors;

    /** Prepares what does not change from tile to tile. */
    ScaleReader(CodeBuilder b, Sm90Config config, StageScales scales, Warpgroup own) {
        this.scales = scales;
        this.own = own;
        rowsOfB = config.multiply().rowOperand() == OperandRole.B;
        part = config.multiply().warpgroupTile();
        columns = config.scales().columns();
        tileN = config.multiply().rows(OperandRole.B);
        ofB = new LineScales(b, scales.arguments(), config.scales().linesOfB());
        int each = rowsOfB ? part.columns() / 4 : 2 * (part.columns() / columns);
        factors = IntStream.range(0, part.mmaDown())
                .mapToObj(down -> b.f32Array("factor" + down + "x", each))
                .toList();
        Reg<B32> row = rowsOfB ? own.columnOf(b, own.columnOfThread(b)) : b.add(own.row(), own.rowOfThread(b));
        firstOfA = b.mulLo(row, Float.BYTES);
    }

    /** Begins the blocks of a tile, or of a piece of one. */
    OfTile begin(CodeBuilder b, TilePlace tile, KBlocks blocks) {
        return new OfTile(b, tile, blocks);
    }

    /** The scales of the blocks of one tile. */
    final class OfTile {

        private final LineScales.OfTile lines;
        /** Of each part of its columns whether it lies in the first of two blocks of N; of those that may do either. */
        private final List<Reg<Pred>> inFirst = new ArrayList<>();

        private OfTile(CodeBuilder b, TilePlace tile, KBlocks blocks) {
            Reg<B32> first = b.mulLo(tile.n(), tileN);
            if (rowsOfB) {
                lines = ofB.begin(
                        b,
                        IntStream.range(0, part.mmaDown())
                                .mapToObj(down -> line(b, b.add(first, rowOfB(b, down))))
                                .toList(),
                        blocks);
                return;
            }
            Reg<B32> column = own.columnOf(b, first);
            Reg<B32> line = line(b, column);
            lines = ofB.begin(b, ofB.count() == 1 ? List.of(line) : List.of(line, b.add(line, 1)), blocks);
            Reg<B32> inBlock = b.and(column, Scales.BLOCK_N - 1L);
            for (int at = columns; at < Math.min(part.columns(), Scales.BLOCK_N); at += columns) {
                inFirst.add(b.lt(inBlock, Scales.BLOCK_N - at));
            }
        }

        private Reg<B32> rowOfB(CodeBuilder b, int down) {
            return b.add(own.row(), (long) down * Sm90Config.MMA_ROWS);
        }

        private static Reg<B32> line(CodeBuilder b, Reg<B32> n) {
            return b.shr(n, BLOCK_SHIFT);
        }

        /**
         * Takes the factors of a block, whose stage has come.
         *
         * @param block its number in the tile
         */
        void take(CodeBuilder b, Reg<B32> slot, Reg<B32> block) {
            SharedAddress at = scales.inSlot(b, slot);
            List<Reg<F32>> scalesOfB = lines.take(b, block);
            SharedAddress own = new SharedAddress(b.add(at.base(), firstOfA), at.offset());
            for (int down = 0; down < part.mmaDown(); down++) {
                if (rowsOfB) {
                    ofColumns(b, own, factors.get(down), scalesOfB.get(down));
                } else {
                    ofRows(b, own.plus(down * Sm90Config.MMA_ROWS * Float.BYTES), factors.get(down), scalesOfB);
                }
            }
        }

        private void ofColumns(CodeBuilder b, SharedAddress at, List<Reg<F32>> all, Reg<F32> scaleB) {
            for (int i = 0; i < all.size(); i += 2) {
                List<Reg<F32>> pair = all.subList(i, i + 2);
                b.ldVector(ScalarType.F32, pair, at.plus(i / 2 * ROWS_APART * Float.BYTES));
                pair.forEach(factor -> b.fmul(factor, factor, scaleB));
            }
        }

        private void ofRows(CodeBuilder b, SharedAddress at, List<Reg<F32>> all, List<Reg<F32>> scalesOfB) {
            List<Reg<F32>> rows = List.of(b.ldF32(at), b.ldF32(at.plus(ROWS_APART * Float.BYTES)));
            for (int i = 0; i < all.size() / 2; i++) {
                Reg<F32> scaleB = ofPart(b, i, scalesOfB);
                b.fmul(all.get(2 * i), rows.getFirst(), scaleB);
                b.fmul(all.get(2 * i + 1), rows.getLast(), scaleB);
            }
        }

        /** The scale of B of the i-th part of the columns. */
        private Reg<F32> ofPart(CodeBuilder b, int i, List<Reg<F32>> scalesOfB) {
            if (i == 0) {
                return scalesOfB.getFirst();
            }
            return i <= inFirst.size()
                    ? b.select(inFirst.get(i - 1), scalesOfB.getFirst(), scalesOfB.getLast())
                    : scalesOfB.getLast();
        }
    }

    /**
     * Adds scaled products to the sums of the same rows.
     *
     * @param products of the block whose factors were taken last, in the order of {@link WarpgroupMainloop#sums}
     * @param from the first 64 rows of instructions that they are of, by their number
     */
    void promote(CodeBuilder b, List<Reg<F32>> products, List<Reg<F32>> sums, int from) {
        int ofRows = part.columns() / 2;
        for (int i = 0; i < products.size(); i++) {
            Reg<F32> sum = sums.get(from * ofRows + i);
            Reg<F32> factor = factors.get(from + i / ofRows).get(factor(i % ofRows));
            b.fma(sum, products.get(i), factor, sum);
        }
    }

    /** The factor of a product, by its index among those of 64 rows of instructions. */
    private int factor(int i) {
        int column = Warpgroup.columnOfSum(i);
        return rowsOfB
                ? column / ROWS_APART * 2 + column % ROWS_APART
                : column / columns * 2 + Warpgroup.rowOfSum(i) / ROWS_APART;
    }
}
