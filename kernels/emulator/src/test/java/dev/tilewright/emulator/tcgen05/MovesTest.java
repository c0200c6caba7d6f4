package dev.tilewright.emulator.tcgen05;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.Shape;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.type.TensorAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Shapes of tcgen05.ld and tcgen05.st: each cell of 128 lanes and 64 columns holds its own name, written or read by the
 * shape of one lane each.
 */
class MovesTest {
    private static final int THREADS = 128;
    private static final int COLUMNS = 64;

    /**
     * A kernel.
     *
     * @param store whether the shape stores and the plain one loads, or the other way
     * @param upper whether the shape begins in the upper half of a warp's lanes
     * @param halves whether registers are packed or unpacked
     */
    private record Case(Shape shape, int registers, boolean store, boolean upper, boolean halves) {
        private int split() {
            return shape == Shape.L16_B32_TWICE ? 24 : 0;
        }

        PtxModule module() {
            return PtxModule.build(Target.SM_100A, m -> m.entry("move", this::entry));
        }

        private void entry(EntryBuilder e) {
            Param out = e.pointer("out");
            e.launchBounds(THREADS, 1);
            SharedRegion address = e.shared("address", 16, 16);
            e.code(b -> {
                Reg<B32> base = b.sharedBase();
                Reg<B32> thread = b.special(SpecialRegister.TID_X);
                SharedAddress answer = new SharedAddress(base, address.offset());
                b.ifThen(b.eq(b.warpIndex(), 0), w -> {
                    w.tensorAllocate(CtaGroup.ONE, answer, COLUMNS);
                    w.tensorRelinquish(CtaGroup.ONE);
                });
                b.syncThreads();
                Reg<B32> tensor = b.ld32(answer);
                Reg<B32> plain = b.add(tensor, b.shl(b.shr(thread, 5), 21));
                Reg<B32> shaped = upper ? b.add(plain, 16 << 16) : plain;
                List<Reg<B32>> cells = b.b32Array("cell", COLUMNS);
                List<Reg<B32>> part = b.b32Array("part", registers);
                if (store) {
                    fill(b, cells, thread, 1_000_000);
                    b.tensorWrite(TensorAddress.of(plain), cells);
                    b.with(new Tcgen05.WaitStore());
                    fill(b, part, thread, 0);
                    b.with(new Tcgen05.Store(shape, TensorAddress.of(shaped), split(), part, halves));
                    b.with(new Tcgen05.WaitStore());
                    b.tensorRead(cells, TensorAddress.of(plain));
                } else {
                    fill(b, cells, thread, 0);
                    b.tensorWrite(TensorAddress.of(plain), cells);
                    b.with(new Tcgen05.WaitStore());
                    b.with(new Tcgen05.Load(shape, part, TensorAddress.of(shaped), split(), halves));
                }
                b.tensorWaitRead();
                List<Reg<B32>> result = store ? cells : part;
                Reg<B64> to = b.madWide(thread, 4 * result.size(), b.globalPointer(out));
                for (int i = 0; i < result.size(); i++) {
                    b.st32(new GlobalAddress(to, 4 * i), result.get(i));
                }
                b.syncThreads();
                b.ifThen(b.eq(b.warpIndex(), 0), w -> w.tensorDeallocate(CtaGroup.ONE, tensor, COLUMNS));
                b.ret();
            });
        }

        private static void fill(CodeBuilder b, List<Reg<B32>> registers, Reg<B32> thread, int from) {
            for (int i = 0; i < registers.size(); i++) {
                b.mulLo(registers.get(i), thread, 1000);
                b.add(registers.get(i), registers.get(i), from + i);
            }
        }

        /** Lane and column of tensor memory of a register, by the figures of PTX 9.7.16.2.3.1, in terms of bits. */
        private int[] cell(int thread, int register) {
            int lane = thread % 32;
            int warp = thread / 32 * 32 + (upper ? 16 : 0);
            int[] cell = switch (shape) {
                // Threads in two halves, each with rows of its own columns.
                case L16_B32_TWICE -> new int[] {warp + lane % 16, register};
                case L32_B32 -> new int[] {warp + lane, register};
                // 16 rows of 64 bits: threads in fours to a pair of rows 8 apart.
                case L16_B64 -> new int[] {warp + lane / 4 + lane % 2 * 8, lane / 2 % 2 + register * 2};
                // 8 x 4 matrices of words: rows 0-7, then rows 8-15.
                case L16_B128 -> new int[] {warp + lane / 4 + register % 2 * 8, lane % 4 + register / 2 * 4};
                // The accumulators of mma: two words, then the same 8 rows further.
                case L16_B256 ->
                    new int[] {warp + lane / 4 + register % 4 / 2 * 8, lane % 4 * 2 + register % 2 + register / 4 * 8};
            };
            cell[1] = cell[1] * (halves ? 2 : 1) + (shape == Shape.L16_B32_TWICE ? lane / 16 * split() : 0);
            return cell;
        }

        private void check(ByteBuffer out) {
            int[][] expected = new int[THREADS][store ? COLUMNS : registers];
            for (int thread = 0; thread < THREADS; thread++) {
                for (int i = 0; i < expected[thread].length; i++) {
                    expected[thread][i] = store ? 1_000_000 + thread * 1000 + i : 0;
                }
            }
            for (int thread = 0; thread < THREADS; thread++) {
                for (int i = 0; i < registers; i++) {
                    int[] cell = cell(thread, i);
                    int name = cell[0] * 1000 + cell[1];
                    int word = thread * 1000 + i;
                    if (store) {
                        expected[cell[0]][cell[1]] = halves ? word % 65536 : word;
                    } else {
                        expected[thread][i] = halves ? name % 65536 + (name + 1) % 65536 * 65536 : name;
                    }
                    if (store && halves) {
                        expected[cell[0]][cell[1] + 1] = word / 65536;
                    }
                }
            }
            for (int thread = 0; thread < THREADS; thread++) {
                for (int i = 0; i < expected[thread].length; i++) {
                    assertThat(out.getInt())
                            .as(this + " thread " + thread + " register " + i)
                            .isEqualTo(expected[thread][i]);
                }
            }
        }

        void run(long seed) {
            int bytes = THREADS * 4 * (store ? COLUMNS : registers);
            Launch launch = new Launch(
                    "move",
                    Dim3.of(1),
                    Dim3.of(THREADS),
                    Dim3.of(1),
                    module().entry("move").dynamicShared().bytes(),
                    List.of(new Argument.Pointer("out", 0)),
                    List.of(Buffer.of("out", new byte[bytes])));
            RunEnd verdict = new PtxEmulator(module(), "move").run(launch, Options.seed(seed));
            assertThat(verdict)
                    .as(verdict instanceof RunEnd.Faulted f ? f.finding().message() : "")
                    .isInstanceOf(RunEnd.Completed.class);
            check(ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("out")).order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "L32_B32, 1, false",
        "L32_B32, 64, false",
        "L16_B64, 1, false",
        "L16_B64, 4, true",
        "L16_B64, 32, false",
        "L16_B128, 2, true",
        "L16_B128, 8, false",
        "L16_B256, 4, false",
        "L16_B256, 16, true",
        "L16_B32_TWICE, 1, false",
        "L16_B32_TWICE, 8, true"
    })
    void cellsAreWhereTheShapeSays(Shape shape, int registers, boolean upper) {
        for (long seed = 0; seed < 4; seed++) {
            boolean fits = registers < 32;
            for (boolean halves : fits ? new boolean[] {false, true} : new boolean[] {false}) {
                new Case(shape, registers, false, upper, halves).run(seed);
                new Case(shape, registers, true, upper, halves).run(seed);
            }
        }
    }

    @Test
    void assembles() throws Exception {
        for (Shape shape : Shape.values()) {
            Ptxas.assemble(new Case(shape, 4, true, false, true).module());
            Ptxas.assemble(new Case(shape, 8, false, false, false).module());
        }
    }
}
