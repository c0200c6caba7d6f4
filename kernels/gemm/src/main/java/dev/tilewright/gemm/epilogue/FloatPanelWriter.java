package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes f32 by pairs, for stmatrix moves 16 bits alone. A thread has two neighbouring columns of each 8, so that four
 * lanes write the 32 bytes of a row's 8 columns and half a warp, which writes at a time, those of four rows.
 *
 * <p>The swizzle moves them by whole pairs of chunks only for every second row (or every second two, over 64 bytes):
 * the rows between would meet their neighbours in the same banks. Therefore those rows write their 8 columns in another
 * order, each the group that lies half a row further: {@code columns / 16} groups on, by exclusive or. Then the four
 * rows are in four different quarters of the banks.
 *
 * <pre>
 *   128 bytes, step s of 0..3      row 0   row 1   row 2   row 3    (row mod 4)
 *   8 columns that it writes       s       s^2     s       s^2
 *   32-byte quarter of the line    s       s^2     s^1     s^3      (the swizzle adds ^(row/2 mod 4))
 * </pre>
 *
 * @param rowStart where the thread's upper row begins
 * @param exchange what the chunks of its rows are exchanged by
 * @param inChunk the thread's place in the 8 columns: its chunk of two
 * @param other whether the row takes the other order
 * @param addresses where the thread writes in each step
 */
record FloatPanelWriter(
        int columns, Reg<B32> rowStart, Reg<B32> exchange, Reg<B32> inChunk, Reg<Pred> other, List<Reg<B32>> addresses)
        implements PanelWriter {

    private static final int ELEMENT_BYTES = 4;
    private static final int FEWEST_COLUMNS = 16;
    /** Columns that the four lanes of a row hold in neighbouring registers. */
    private static final int GROUP_COLUMNS = 8;
    /** Accumulators of a thread in a group: two columns of two rows. */
    private static final int GROUP_VALUES = 4;

    private static final int ROWS_BETWEEN = 8;

    static FloatPanelWriter of(CodeBuilder b, int columns, Reg<B32> base, Reg<B32> threadInWarpgroup) {
        if (columns < FEWEST_COLUMNS) {
            throw new IllegalArgumentException(
                    "a panel of f32 has at least " + FEWEST_COLUMNS + " columns, got " + columns);
        }
        int pitch = columns * ELEMENT_BYTES;
        Reg<B32> lane = b.and(threadInWarpgroup, 31);
        Reg<B32> row = b.add(b.shl(b.shr(threadInWarpgroup, 5), 4), b.shr(lane, 2));
        // The lower half of a chunk belongs to even lanes.
        Reg<B32> rowStart = b.add(b.mad(row, Immediate.b32(pitch), base), b.shl(b.and(lane, 1), 3));
        Reg<B32> inChunk = b.and(b.shr(lane, 1), 1);
        Reg<B32> exchange = PanelWriter.exchange(b, row, pitch);
        Reg<Pred> other = b.ne(b.and(row, LINE_BYTES / pitch), 0);
        int halfARow = columns * ELEMENT_BYTES / CHUNK_BYTES / 2;
        Reg<B32> turned = b.select(other, b.xor(exchange, halfARow), exchange);
        List<Reg<B32>> addresses = new ArrayList<>();
        for (int group = 0; group < columns / GROUP_COLUMNS; group++) {
            addresses.add(address(b, group, inChunk, turned, rowStart));
        }
        return new FloatPanelWriter(columns, rowStart, exchange, inChunk, other, List.copyOf(addresses));
    }

    private static Reg<B32> address(CodeBuilder b, int group, Reg<B32> inChunk, Reg<B32> exchange, Reg<B32> rowStart) {
        Reg<B32> chunk = b.xor(b.add(inChunk, 2L * group), exchange);
        return b.add(b.shl(chunk, 4), rowStart);
    }

    @Override
    public void write(CodeBuilder b, List<Reg<F32>> accumulators, int buffer) {
        int groups = accumulators.size() / GROUP_VALUES;
        // A narrower panel may lack the group half a row further, and keeps the plain order.
        boolean whole = groups == columns / GROUP_COLUMNS;
        for (int group = 0; group < groups; group++) {
            List<Reg<F32>> values = values(accumulators, group);
            Reg<B32> at = whole ? addresses.get(group) : address(b, group, inChunk, exchange, rowStart);
            if (whole) {
                values = either(b, values(accumulators, group ^ groups / 2), values);
            }
            b.stVector(ScalarType.F32, new SharedAddress(at, buffer), values.subList(0, 2));
            b.stVector(
                    ScalarType.F32,
                    new SharedAddress(at, buffer + ROWS_BETWEEN * columns * ELEMENT_BYTES),
                    values.subList(2, GROUP_VALUES));
        }
    }

    private static List<Reg<F32>> values(List<Reg<F32>> accumulators, int group) {
        return accumulators.subList(group * GROUP_VALUES, (group + 1) * GROUP_VALUES);
    }

    private List<Reg<F32>> either(CodeBuilder b, List<Reg<F32>> others, List<Reg<F32>> own) {
        List<Reg<F32>> chosen = new ArrayList<>();
        for (int i = 0; i < GROUP_VALUES; i++) {
            chosen.add(b.select(other, others.get(i), own.get(i)));
        }
        return chosen;
    }
}
