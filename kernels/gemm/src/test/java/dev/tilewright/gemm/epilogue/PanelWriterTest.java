package dev.tilewright.gemm.epilogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Target;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where every thread writes in a panel: at the place that the swizzle gives it, and no two at once in one bank. */
class PanelWriterTest {

    private static final int THREADS = 128;
    private static final int BANKS_BYTES = 128;

    /** What makes a writer. */
    private interface Making {
        PanelWriter of(CodeBuilder b, Reg<B32> base, Reg<B32> thread);
    }

    private static int[][] addresses(DataType type, int columns, int steps) {
        return addresses((b, base, thread) -> PanelWriter.of(b, type, columns, base, thread), steps);
    }

    /** Addresses of each thread, step by step, in a panel at 0. */
    private static int[][] addresses(Making making, int steps) {
        Entry entry = PtxModule.build(
                        Target.SM_90A,
                        m -> m.entry("addresses", e -> {
                            Param base = e.u32("base");
                            Param out = e.pointer("out");
                            e.launchBounds(32, 1);
                            e.code(b -> {
                                Reg<B32> start = b.param32(base);
                                Reg<B64> to = b.globalPointer(out);
                                b.forRange("thread", 0, b.add(start, THREADS), (w, thread) -> {
                                    List<Reg<B32>> written = switch (making.of(w, start, thread)) {
                                        case HalfPanelWriter half -> half.laneAddresses();
                                        case FloatPanelWriter single -> single.addresses();
                                        case TransposedPanelWriter turned -> List.of(turned.lane());
                                    };
                                    assertThat(written).hasSize(steps);
                                    GlobalAddress at = GlobalAddress.of(w.madWide(thread, 4 * steps, to));
                                    for (int step = 0; step < steps; step++) {
                                        w.st32(at.plus(4 * step), written.get(step));
                                    }
                                });
                                b.ret();
                            });
                        }))
                .entry("addresses");
        Map<Long, Integer> memory = new HashMap<>();
        Machine.run(entry, List.of(new Argument.U32(0), new Argument.Pointer(BufferRole.WORKSPACE, 0)), memory);
        long start = Machine.address(BufferRole.WORKSPACE);
        int[][] addresses = new int[THREADS][steps];
        for (int thread = 0; thread < THREADS; thread++) {
            for (int step = 0; step < steps; step++) {
                addresses[thread][step] = memory.get(start + 4L * (thread * steps + step));
            }
        }
        return addresses;
    }

    /** What a tensor copy reads as row and byte of the row: bits 4.. are exchanged by bits 7.. of the address. */
    private static int swizzled(int row, int inRow, int pitch) {
        int linear = row * pitch + inRow;
        return linear ^ (linear >> 7 & pitch / 16 - 1) << 4;
    }

    /** 16 lanes, which write 8 bytes each at a time, meet all 32 banks. */
    @ParameterizedTest
    @ValueSource(ints = {16, 32})
    void floatsAreInTheirPlacesAndMeetEveryBankOnce(int columns) {
        int groups = columns / 8;
        int pitch = columns * 4;
        int[][] addresses = addresses(DataType.F32, columns, groups);
        for (int step = 0; step < groups; step++) {
            for (int first = 0; first < THREADS; first += 16) {
                Set<Integer> met = new HashSet<>();
                for (int thread = first; thread < first + 16; thread++) {
                    int lane = thread % 32;
                    int row = thread / 32 * 16 + lane / 4;
                    boolean other = (row & BANKS_BYTES / pitch) != 0;
                    int group = other ? step ^ groups / 2 : step;
                    assertThat(addresses[thread][step])
                            .as("thread " + thread + ", step " + step)
                            .isEqualTo(swizzled(row, 32 * group + lane % 4 * 8, pitch));
                    met.add(addresses[thread][step] % BANKS_BYTES / 8);
                }
                assertThat(met).as("banks of threads from " + first).hasSize(16);
            }
        }
    }

    /** Lanes 0..15 name 16 rows of 8 columns, lanes 16..31 those of the next; 8 rows are written at a time. */
    @ParameterizedTest
    @CsvSource({"BF16, 16", "BF16, 32", "BF16, 64", "F16, 32"})
    void halvesAreInTheirPlacesAndMeetEveryBankOnce(DataType type, int columns) {
        int steps = columns / 16;
        int pitch = columns * 2;
        int[][] addresses = addresses(type, columns, steps);
        for (int step = 0; step < steps; step++) {
            for (int first = 0; first < THREADS; first += 8) {
                Set<Integer> met = new HashSet<>();
                for (int thread = first; thread < first + 8; thread++) {
                    int lane = thread % 32;
                    int row = thread / 32 * 16 + lane % 16;
                    assertThat(addresses[thread][step])
                            .as("thread " + thread + ", step " + step)
                            .isEqualTo(swizzled(row, 32 * step + lane / 16 * 16, pitch));
                    met.add(addresses[thread][step] % BANKS_BYTES / 16);
                }
                assertThat(met).as("banks of threads from " + first).hasSize(8);
            }
        }
    }

    /** Eight lanes name the lines of a matrix, each with eight elements of the warp's 32 bytes of a line. */
    @Test
    void transposedHalvesAreInTheirPlacesAndMeetEveryBankOnce() {
        int[][] addresses = addresses((b, base, thread) -> TransposedPanelWriter.of(b, DataType.BF16, base, thread), 1);
        for (int first = 0; first < THREADS; first += 8) {
            Set<Integer> met = new HashSet<>();
            int matrix = first / 8 % 4;
            for (int thread = first; thread < first + 8; thread++) {
                int line = matrix / 2 * 8 + thread % 8;
                int inLine = 32 * (thread / 32) + 16 * (matrix % 2);
                assertThat(addresses[thread][0]).as("thread " + thread).isEqualTo(swizzled(line, inLine, 128));
                met.add(addresses[thread][0] % BANKS_BYTES / 16);
            }
            assertThat(met).as("banks of threads from " + first).hasSize(8);
        }
    }
}
