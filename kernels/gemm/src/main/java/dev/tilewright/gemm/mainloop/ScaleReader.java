package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TilePlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.WarpgroupTile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads the scales that a thread of a warpgroup multiplies its products of a block of K with. Of A it needs one for
 * each row of D that it holds: two for 64 rows of instructions, or with {@code swapAB} one for each of its columns. Of
 * B it needs one for all of its columns, which lie in one block of N, or with {@code swapAB} one for each 64 rows of
 * instructions. The scales of a block are asked for while the block before is multiplied. Rows beyond the pitch of the
 * scales of A have none: what is computed there is not stored.
 */
final class ScaleReader {

    /** Rows of D below each other that a thread holds of an instruction: one, and one so far below. */
    private static final int ROWS_APART = 8;

    private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(Scales.BLOCK_N);

    private final BlockScales scales;
    /** Whether the rows of instructions are rows of B: then their columns are rows of D. */
    private final boolean rowsOfB;

    private final WarpgroupTile part;
    private final OperandTiles tiles;
    private final Warpgroup own;
    private final List<Reg<F32>> ofA;
    private final List<Reg<F32>> ofB;
    /** Products of a scale of A and one of B, of each 64 rows of instructions. */
    private final List<List<Reg<F32>>> factors;

    private final Reg<B64> startA;
    private final Reg<B64> startB;

    /** Rows of A and of B in a tile of a CTA. */
    private record OperandTiles(int m, int n) {}

    /** Prepares what does not change from tile to tile. */
    ScaleReader(CodeBuilder b, Sm90Config config, BlockScales scales, Warpgroup own) {
        this.scales = scales;
        this.own = own;
        rowsOfB = config.multiply().rowOperand() == OperandRole.B;
        part = config.multiply().warpgroupTile();
        tiles = new OperandTiles(
                config.multiply().rows(OperandRole.A), config.multiply().rows(OperandRole.B));
        ofA = b.f32Array("scaleA", rowsOfB ? part.columns() / 4 : 2 * part.mmaDown());
        ofB = b.f32Array("scaleB", rowsOfB ? part.mmaDown() : 1);
        int perDown = rowsOfB ? ofA.size() : 2;
        factors = IntStream.range(0, part.mmaDown())
                .mapToObj(down -> b.f32Array("factor" + down + "x", perDown))
                .toList();
        startA = b.globalPointer(scales.a());
        startB = b.globalPointer(scales.b());
    }

    /** The scales of the blocks of one tile. */
    final class OfTile {

        /** First row of D that this thread holds of a tile. */
        private final Reg<B32> row;

        private final Reg<B32> pitchA;

        /** Address of the scale of that row in the current block of K. */
        private final Reg<B64> atA;

        /** Floats from the start to the current scales of B. */
        private final List<Reg<B32>> indexB;

        private OfTile(CodeBuilder b, TilePlace tile, KBlocks blocks) {
            Reg<B32> block = blocks.first().orElseGet(() -> b.mov(Immediate.b32(0)));
            pitchA = b.param32(scales.pitchA());
            row = b.add(b.mulLo(tile.m(), tiles.m()), firstRow(b));
            atA = b.b64();
            b.mov(atA, b.madWide(b.mad(block, pitchA, row), Float.BYTES, startA));
            ofA.forEach(scale -> b.mov(scale, Immediate.f32(0)));
            indexB = new ArrayList<>();
            Reg<B32> last = b.sub(b.param32(scales.blocksN()), 1);
            Reg<B32> firstN = b.mulLo(tile.n(), tiles.n());
            for (int i = 0; i < ofB.size(); i++) {
                Reg<B32> n = b.add(firstN, rowsOfB ? b.add(own.row(), (long) i * Sm90Config.MMA_ROWS) : ownColumn(b));
                Reg<B32> line = b.min(b.shr(n, BLOCK_SHIFT), last);
                indexB.add(b.mad(line, b.param32(scales.pitchB()), block));
            }
            read(b, Optional.empty());
        }

        /**
         * Takes the scales of the current block, which were asked for one block ago, and asks for those of the next
         * one.
         *
         * @param more whether there is a next block
         */
        void next(CodeBuilder b, Reg<Pred> more) {
            for (int down = 0; down < factors.size(); down++) {
                List<Reg<F32>> rows = rowsOfB ? ofA : ofA.subList(2 * down, 2 * down + 2);
                Reg<F32> ofBlock = ofB.get(rowsOfB ? down : 0);
                for (int i = 0; i < rows.size(); i++) {
                    b.fmul(factors.get(down).get(i), rows.get(i), ofBlock);
                }
            }
            read(b, Optional.of(more));
        }

        /** Without a branch, which would part the products of the tensor core. */
        private void read(CodeBuilder b, Optional<Reg<Pred>> when) {
            int together = together();
            for (int i = 0; i < ofA.size(); i += together) {
                int below = rowsOfB ? i / 2 * ROWS_APART : i / 2 * Sm90Config.MMA_ROWS + i % 2 * ROWS_APART;
                Reg<Pred> exists = b.lt(b.add(row, below), pitchA);
                Reg<Pred> reads = when.map(more -> b.andPred(exists, more)).orElse(exists);
                List<Reg<F32>> read = ofA.subList(i, i + together);
                GlobalAddress at = GlobalAddress.of(atA).plus(below * Float.BYTES);
                b.guarded(reads, g -> g.ldVector(ScalarType.F32, read, at));
            }
            b.mov(atA, b.madWide(pitchA, Float.BYTES, atA));
            for (int i = 0; i < ofB.size(); i++) {
                Reg<B32> index = indexB.get(i);
                GlobalAddress at = GlobalAddress.of(b.madWide(index, Float.BYTES, startB));
                List<Reg<F32>> read = List.of(ofB.get(i));
                when.ifPresentOrElse(
                        more -> b.guarded(more, g -> g.ldVector(ScalarType.F32, read, at)),
                        () -> b.ldVector(ScalarType.F32, read, at));
                b.add(index, index, 1);
            }
        }

        /**
         * Adds scaled products to sums.
         *
         * @param products of the block whose scales were taken last, in the order of {@link WarpgroupMainloop#sums}
         */
        void promote(CodeBuilder b, List<Reg<F32>> products, List<Reg<F32>> sums) {
            int perMma = part.mmaColumns() / 2;
            int perRow = part.mmaAcross() * perMma;
            for (int down = 0; down < part.mmaDown(); down++) {
                int first = down * perRow;
                for (int i = 0; i < perRow; i++) {
                    Reg<F32> sum = sums.get(first + i);
                    b.fma(sum, products.get(first + i), factors.get(down).get(factor(i)), sum);
                }
            }
        }

        /** The factor of a product, by its index among those of 64 rows of instructions. */
        private int factor(int i) {
            int row = rowsOfB ? Warpgroup.columnOfSum(i) : Warpgroup.rowOfSum(i);
            return row / ROWS_APART * together() + row % ROWS_APART;
        }
    }

    /** Begins the blocks of a tile, or of a piece of one. */
    OfTile begin(CodeBuilder b, TilePlace tile, KBlocks blocks) {
        return new OfTile(b, tile, blocks);
    }

    /** Rows of D beside each other that a thread holds. */
    private int together() {
        return rowsOfB ? 2 : 1;
    }

    /** The least row of D that this thread holds of a tile. */
    private Reg<B32> firstRow(CodeBuilder b) {
        return rowsOfB ? own.columnOf(b, own.columnOfThread(b)) : b.add(own.row(), own.rowOfThread(b));
    }

    private Reg<B32> ownColumn(CodeBuilder b) {
        return own.column().orElseGet(() -> b.mov(Immediate.b32(0)));
    }
}
