package dev.tilewright.examples.sm90;

import static dev.tilewright.examples.step.MatrixDescriptor.plus;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.MatrixDescriptor;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The f32 sums of a warpgroup in its registers: 64 rows of 128 columns in 64 registers of each thread; 128 rows of as
 * many columns, or 64 rows of 256, in 128. In each 64 rows warp w has rows 16 w to 16 w + 15, and register {@code 4 j +
 * 2 h + e} of a lane is at row {@code 8 h + lane / 4}, column {@code 8 j + 2 (lane mod 4) + e}.
 *
 * @param columns a multiple of 64; one instruction multiplies 64 rows by all of them
 */
record Sums(int columns, List<Reg<F32>> registers) {

    private static final int ROWS = 64;
    /** Columns of a panel of D. */
    private static final int PANEL = 64;
    /** Registers of a panel: 64 rows of 64 columns, one of 128 threads. */
    private static final int OF_PANEL = ROWS * PANEL / 128;

    private static final int PANEL_BYTES = ROWS * Stages.LINE;

    /** Declares the sums of 64 or 128 rows. */
    static Sums of(CodeBuilder b, int rows, int columns) {
        return new Sums(columns, b.f32Array("sum", rows / ROWS * (columns / PANEL) * OF_PANEL));
    }

    /** Bytes of shared memory through which they are stored. */
    static int bytes(int rows, int columns) {
        return rows / ROWS * (columns / PANEL) * PANEL_BYTES;
    }

    /** Panels of 64 rows. */
    private int across() {
        return columns / PANEL;
    }

    /**
     * Issues the products of a block: four instructions of depth 16 for each 64 rows, as one group.
     *
     * @param ofA first row of A in shared memory
     * @param ofB the rows of B, one for each column
     * @param adds whether the products are added to the sums, or replace them
     */
    void multiply(CodeBuilder b, SharedAddress ofA, SharedAddress ofB, Reg<Pred> adds) {
        Reg<B64> rows = MatrixDescriptor.wgmma(b, ofA);
        Reg<B64> columns = MatrixDescriptor.wgmma(b, ofB);
        b.wgmmaFence();
        for (int along = 0; along < Stages.LINE; along += MatrixDescriptor.STEP_BYTES) {
            for (int half = 0; half < registers.size() / (across() * OF_PANEL); half++) {
                Reg<B64> rowStep = plus(b, rows, along + half * ROWS * Stages.LINE);
                Reg<B64> columnStep = plus(b, columns, along);
                if (along == 0) {
                    b.wgmma(ScalarType.BF16, half(half), rowStep, columnStep, adds);
                } else {
                    b.wgmma(ScalarType.BF16, half(half), rowStep, columnStep, true);
                }
            }
        }
        b.wgmmaCommitGroup();
    }

    private List<Reg<F32>> half(int half) {
        int ofRows = across() * OF_PANEL;
        return registers.subList(half * ofRows, (half + 1) * ofRows);
    }

    /**
     * Writes the sums as bf16 into shared memory, in panels of 64 rows and 64 columns. A row of a panel is a line of
     * 128 bytes, its chunks of 16 bytes swizzled by the row modulo 8, as the map of D expects them. One stmatrix moves
     * four matrices of 8 x 8: lanes 0..15 hold the addresses of 16 rows, lanes 16..31 those of the next 8 columns.
     *
     * @param thread 0..127 in the warpgroup
     */
    void write(CodeBuilder b, Reg<B32> thread, SharedAddress panels) {
        Reg<B32> lane = b.and(thread, 31);
        Reg<B32> row = b.add(b.shl(b.shr(thread, 5), 4), b.and(lane, 15));
        Reg<B32> line = b.mad(row, Stages.LINE, panels.base());
        for (int first = 0; first < registers.size(); first += 8) {
            int chunk = first / 4 % 8;
            Reg<B32> swizzled = b.xor(b.add(b.shr(lane, 4), chunk), b.and(lane, 7));
            int panel = first / OF_PANEL * PANEL_BYTES;
            List<Reg<F32>> step = registers.subList(first, first + 8);
            List<Reg<B32>> pairs = IntStream.range(0, 4)
                    .mapToObj(i -> b.bf16x2(step.get(2 * i), step.get(2 * i + 1)))
                    .toList();
            b.stmatrix(new SharedAddress(b.mad(swizzled, 16, line), panels.offset() + panel), pairs);
        }
    }

    /** Stores the panels by TMA, as one group; one thread, when all have been written. */
    void store(CodeBuilder b, Arguments arguments, Reg<B32> row, Reg<B32> column, SharedAddress panels) {
        for (int panel = 0; panel < registers.size() / OF_PANEL; panel++) {
            b.tmaStore(
                    b.tensorMap(arguments.d()),
                    List.of(b.add(column, panel % across() * PANEL), b.add(row, panel / across() * ROWS)),
                    panels.plus(panel * PANEL_BYTES));
        }
        b.bulkCommitGroup();
    }
}
