package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes bf16 or f16 by stmatrix, 16 columns at a time.
 *
 * @param pair type of two elements
 * @param laneAddresses where each lane's row begins, for each step of 16 columns
 */
record HalfPanelWriter(ScalarType pair, List<Reg<B32>> laneAddresses) implements PanelWriter {

    /** Columns of the four 8x8 matrices of one stmatrix. */
    private static final int STEP_COLUMNS = 16;

    private static final int CHUNK_COLUMNS = 8;
    private static final int ELEMENT_BYTES = 2;

    /** Lanes 0..15 hold the addresses of the warp's 16 rows, lanes 16..31 those of the next 8 columns. */
    static HalfPanelWriter of(CodeBuilder b, ScalarType pair, int columns, Reg<B32> base, Reg<B32> threadInWarpgroup) {
        int pitch = columns * ELEMENT_BYTES;
        Reg<B32> lane = b.and(threadInWarpgroup, 31);
        Reg<B32> row = b.add(b.shl(b.shr(threadInWarpgroup, 5), 4), b.and(lane, 15));
        Reg<B32> rowStart = b.mad(row, Immediate.b32(pitch), base);
        Reg<B32> exchange = PanelWriter.exchange(b, lane, pitch);
        Reg<B32> half = b.shr(lane, 4);
        List<Reg<B32>> addresses = new ArrayList<>();
        for (int step = 0; step < columns / STEP_COLUMNS; step++) {
            Reg<B32> chunk = b.xor(b.add(half, 2L * step), exchange);
            addresses.add(b.add(b.shl(chunk, 4), rowStart));
        }
        return new HalfPanelWriter(pair, List.copyOf(addresses));
    }

    @Override
    public void write(CodeBuilder b, List<Reg<F32>> accumulators, int buffer) {
        int columns = accumulators.size() * 2;
        for (int column = 0; column < columns; column += STEP_COLUMNS) {
            List<Reg<F32>> step = accumulators.subList(column / 2, Math.min(column + STEP_COLUMNS, columns) / 2);
            Reg<B32> lane = laneAddresses.get(column / STEP_COLUMNS);
            b.stmatrix(new SharedAddress(lane, buffer), PanelWriter.packed(b, pair, step));
        }
    }
}
