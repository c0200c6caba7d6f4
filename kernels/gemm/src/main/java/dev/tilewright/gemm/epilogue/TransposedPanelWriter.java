package dev.tilewright.gemm.epilogue;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;

/**
 * Writes bf16 or f16 transposed: a line of the panel is a column of the accumulators, 64 elements in 128 bytes, of
 * which each warp has 32. One stmatrix writes 16 lines.
 *
 * <pre>
 *   matrix      0           1           2           3
 *   rows        0..7        8..15       0..7        8..15      of the warp's 16
 *   lines       0..7        0..7        8..15       8..15      of 16
 *   chunk       2 warp      2 warp + 1  2 warp      2 warp + 1 exchanged by line mod 8
 * </pre>
 *
 * @param pair type of two elements
 * @param lane where the lane's line begins, of the first 16; others follow at a constant distance
 */
record TransposedPanelWriter(ScalarType pair, Reg<B32> lane) implements PanelWriter {

    /** Lines of the four 8x8 matrices of one stmatrix. */
    private static final int STEP_LINES = 16;

    static TransposedPanelWriter of(CodeBuilder b, DataType type, Reg<B32> base, Reg<B32> threadInWarpgroup) {
        Reg<B32> lane = b.and(threadInWarpgroup, 31);
        Reg<B32> line = b.add(b.and(lane, 7), b.and(b.shr(lane, 1), 8));
        Reg<B32> chunk = b.add(b.shl(b.shr(threadInWarpgroup, 5), 1), b.and(b.shr(lane, 3), 1));
        Reg<B32> exchanged = b.xor(chunk, PanelWriter.exchange(b, lane, LINE_BYTES));
        Reg<B32> start = b.mad(line, Immediate.b32(LINE_BYTES), base);
        return new TransposedPanelWriter(PanelWriter.pair(type), b.add(b.shl(exchanged, 4), start));
    }

    @Override
    public void write(CodeBuilder b, List<Reg<F32>> accumulators, int buffer) {
        int lines = accumulators.size() * 2;
        for (int line = 0; line < lines; line += STEP_LINES) {
            List<Reg<F32>> step = accumulators.subList(line / 2, Math.min(line + STEP_LINES, lines) / 2);
            SharedAddress start = new SharedAddress(lane, buffer + line * LINE_BYTES);
            b.stmatrixTransposed(start, PanelWriter.packed(b, pair, step));
        }
    }
}
