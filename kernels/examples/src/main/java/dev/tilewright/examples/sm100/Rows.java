package dev.tilewright.examples.sm100;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The way of a tile from tensor memory to D, by the 128 threads of a warpgroup: each has a row. Tensor memory has a
 * lane for each row, and warp w reaches lanes 32 w to 32 w + 31. Sums go as bf16 through two panels of shared memory,
 * each of 128 rows of 64 columns.
 */
record Rows(Arguments arguments, SharedRegion panels) {

    /** Columns that a thread reads at once. */
    private static final int READ = 32;

    private static final int PANEL_COLUMNS = 64;
    private static final int PANEL_BYTES = Step.TILE * Stages.LINE;
    private static final int PER_CHUNK = 8;

    static Rows declare(EntryBuilder entry, Arguments arguments) {
        return new Rows(arguments, entry.shared("panels", Step.TILE / PANEL_COLUMNS * PANEL_BYTES, 1024));
    }

    /**
     * Reads the thread's row and writes it to the panels. A row of a panel is a line of 128 bytes, its chunks of 16
     * bytes swizzled by the row modulo 8, as the map of D expects them.
     *
     * @param sums first column of the sums
     * @param thread 0..127, which is the row too
     */
    void write(CodeBuilder b, Reg<B32> sums, Reg<B32> thread) {
        b.tensorFenceAfterSync(); // behind the wait for the sums
        Reg<B32> lane = b.add(sums, b.shl(b.and(thread, -32L), 16));
        SharedAddress line = panels.element(b, thread, Stages.LINE);
        for (int column = 0; column < Step.TILE; column += READ) {
            List<Reg<B32>> read =
                    IntStream.range(0, READ).mapToObj(_ -> b.b32()).toList();
            b.tensorRead(read, new TensorAddress(lane, column));
            b.tensorWaitRead();
            for (int first = 0; first < READ; first += PER_CHUNK) {
                int chunk = (column + first) % PANEL_COLUMNS / PER_CHUNK;
                Reg<B32> swizzled = b.mad(b.xor(b.and(thread, 7), chunk), 16, line.base());
                int panel = column / PANEL_COLUMNS * PANEL_BYTES;
                b.stVector(
                        ScalarType.B32,
                        new SharedAddress(swizzled, line.offset() + panel),
                        pairs(b, read.subList(first, first + PER_CHUNK)));
            }
        }
        b.fenceProxyAsyncShared(); // TMA sees what the threads wrote
    }

    private static List<Reg<B32>> pairs(CodeBuilder b, List<Reg<B32>> sums) {
        return IntStream.range(0, sums.size() / 2)
                .mapToObj(i -> b.bf16x2(b.floatOf(sums.get(2 * i)), b.floatOf(sums.get(2 * i + 1))))
                .toList();
    }

    /** Stores the panels by TMA, as one group; one thread, when all rows have been written. */
    void store(CodeBuilder b, Reg<B32> row, Reg<B32> column) {
        for (int panel = 0; panel < Step.TILE / PANEL_COLUMNS; panel++) {
            b.tmaStore(
                    b.tensorMap(arguments.d()),
                    List.of(b.add(column, panel * PANEL_COLUMNS), row),
                    panels.at(b, panel * PANEL_BYTES));
        }
        b.bulkCommitGroup();
    }

    /** Says that a warp has read the sums, at the empty barrier of their slot. */
    static void handBack(CodeBuilder b, SharedAddress empty) {
        b.tensorFenceBeforeSync();
        b.syncWarp();
        b.guarded(b.eq(b.special(SpecialRegister.LANEID), 0), lane -> lane.mbarrierArrive(empty));
    }
}
