package dev.tilewright.emulator.tcgen05;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
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
import dev.tilewright.ptx.instruction.Tcgen05.CopyShape;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.instruction.Tcgen05.MatrixA;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.type.TensorAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The canonical patterns of PTX 9.7.16.6.4 in one kernel, all by relaxed arrivals and waits: one thread copies A into
 * tensor memory, another multiplies by it, waits, and tells four warps, which load.
 */
class PatternTest {
    /** Parts of the pattern that may be left out. */
    private enum Part {
        BEFORE_COPY_IS_TOLD,
        AFTER_COPY_IS_TOLD,
        WAIT_FOR_COMMIT,
        AFTER_COMMIT,
        BEFORE_PRODUCT_IS_TOLD,
        AFTER_PRODUCT_IS_TOLD
    }

    private static final int THREADS = 128;
    private static final int N = 8;
    private static final int SEEDS = 30;
    private static final Ordering RELAXED = Ordering.relaxed(Scope.CLUSTER);

    private record Kernel(CopyShape shape, Set<Part> missing) {
        private boolean has(Part part) {
            return !missing.contains(part);
        }

        PtxModule module() {
            return PtxModule.build(Target.SM_100A, m -> m.entry("pattern", this::entry));
        }

        private void entry(EntryBuilder e) {
            Param out = e.pointer("out");
            e.launchBounds(THREADS, 1);
            SharedRegion data = e.shared("data", THREADS * 32, 1024);
            SharedRegion barriers = e.barriers("bar", 3);
            SharedRegion address = e.shared("address", 16, 16);
            e.code(b -> {
                Reg<B32> base = b.sharedBase();
                Reg<B32> thread = b.special(SpecialRegister.TID_X);
                SharedAddress copied = new SharedAddress(base, barriers.offset());
                SharedAddress answer = new SharedAddress(base, address.offset());
                b.ifThen(b.eq(thread, 0), t -> {
                    t.mbarrierInit(copied, 1);
                    t.mbarrierInit(copied.plus(8), 1);
                    t.mbarrierInit(copied.plus(16), 1);
                    t.fenceBarrierInit();
                });
                b.ifThen(b.eq(b.warpIndex(), 0), w -> {
                    w.tensorAllocate(CtaGroup.ONE, answer, 32);
                    w.tensorRelinquish(CtaGroup.ONE);
                });
                // Rows without swizzle: groups of 8 rows of 16 bytes; row r holds r mod 32 + 1, for exact sums.
                Reg<B32> value = b.add(b.and(thread, 31), 1);
                Reg<B32> pair = b.bf16x2(b.toFloat(value), b.toFloat(value));
                Reg<B32> row = b.mad(b.shr(thread, 3), 256, b.mad(b.and(thread, 7), 16, base));
                for (int i = 0; i < 8; i++) {
                    b.st32(new SharedAddress(row, data.offset() + i / 4 * 128 + i % 4 * 4), pair);
                }
                b.fenceProxyAsyncShared();
                b.syncThreads();
                Reg<B32> tensor = b.ld32(answer);
                Reg<B32> start = b.shr(b.and(b.add(base, data.offset()), 0x3FFFF), 4);
                Reg<B64> matrix = b.pack(b.or(start, 8 << 16), Immediate.b32(1 << 14 | 16));
                b.ifThen(b.eq(thread, 32), t -> copy(t, tensor, matrix, copied));
                b.ifThen(b.eq(thread, 64), t -> multiply(t, tensor, matrix, copied));
                b.syncWarp();
                b.waitParity(RELAXED, copied.plus(16), Immediate.b32(0));
                if (has(Part.AFTER_PRODUCT_IS_TOLD)) {
                    b.tensorFenceAfterSync();
                }
                List<Reg<B32>> x = b.b32Array("x", N);
                b.tensorRead(x, TensorAddress.of(b.add(tensor, b.shl(b.shr(thread, 5), 21))));
                b.tensorWaitRead();
                Reg<B64> to = b.madWide(thread, 4 * N, b.globalPointer(out));
                for (int i = 0; i < N; i++) {
                    b.st32(new GlobalAddress(to, 4 * i), x.get(i));
                }
                b.syncThreads();
                b.ifThen(b.eq(b.warpIndex(), 0), w -> w.tensorDeallocate(CtaGroup.ONE, tensor, 32));
                b.ret();
            });
        }

        private void copy(CodeBuilder b, Reg<B32> tensor, Reg<B64> matrix, SharedAddress copied) {
            b.tensorFenceAfterSync();
            b.with(new Tcgen05.Copy(CtaGroup.ONE, shape, new TensorAddress(tensor, 16), matrix));
            if (shape != CopyShape.L128_B256) {
                // The second half of a row, 16 bytes: 128 further.
                Reg<B64> half = b.add(matrix, 8);
                b.with(new Tcgen05.Copy(CtaGroup.ONE, shape, new TensorAddress(tensor, 20), half));
            }
            if (has(Part.BEFORE_COPY_IS_TOLD)) {
                b.tensorFenceBeforeSync();
            }
            b.mbarrierArrive(RELAXED, copied, 1);
        }

        private void multiply(CodeBuilder b, Reg<B32> tensor, Reg<B64> matrix, SharedAddress copied) {
            b.waitParity(RELAXED, copied, Immediate.b32(0));
            if (has(Part.AFTER_COPY_IS_TOLD)) {
                b.tensorFenceAfterSync();
            }
            Reg<B32> descriptor = b.b32("idesc", 1 << 4 | 1 << 7 | 1 << 10 | N / 8 << 17 | 128 / 16 << 24);
            Reg<Pred> no = b.ne(descriptor, descriptor);
            b.with(new Tcgen05.Multiply(
                    CtaGroup.ONE,
                    Kind.F16,
                    TensorAddress.of(tensor),
                    new MatrixA.Tensor(new TensorAddress(tensor, 16)),
                    matrix,
                    descriptor,
                    no));
            SharedAddress done = copied.plus(8);
            b.tensorCommit(CtaGroup.ONE, new ClusterAddress(done.base(), done.offset()));
            if (has(Part.WAIT_FOR_COMMIT)) {
                b.waitParity(RELAXED, done, Immediate.b32(0));
            }
            if (has(Part.AFTER_COMMIT)) {
                b.tensorFenceAfterSync();
            }
            if (has(Part.BEFORE_PRODUCT_IS_TOLD)) {
                b.tensorFenceBeforeSync();
            }
            b.mbarrierArrive(RELAXED, copied.plus(16), 1);
        }

        RunEnd run(long seed) {
            Launch launch = new Launch(
                    "pattern",
                    Dim3.of(1),
                    Dim3.of(THREADS),
                    Dim3.of(1),
                    module().entry("pattern").dynamicShared().bytes(),
                    List.of(new Argument.Pointer("out", 0)),
                    List.of(Buffer.of("out", new byte[THREADS * N * 4])));
            return new PtxEmulator(module(), "pattern")
                    .run(launch, Options.seed(seed).withStepLimit(200_000));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CopyShape.class,
            names = {"L128_B256", "L128_B128", "L32_B128_ALL"})
    void wholePatternIsRight(CopyShape shape) {
        Kernel kernel = new Kernel(shape, EnumSet.noneOf(Part.class));
        for (int seed = 0; seed < SEEDS; seed++) {
            RunEnd verdict = kernel.run(seed);
            assertThat(verdict)
                    .as(verdict instanceof RunEnd.Faulted f ? f.finding().message() : "")
                    .isInstanceOf(RunEnd.Completed.class);
            ByteBuffer out =
                    ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("out")).order(ByteOrder.LITTLE_ENDIAN);
            for (int row = 0; row < THREADS; row++) {
                for (int column = 0; column < N; column++) {
                    assertThat(out.getFloat()).isEqualTo(16f * (row % 32 + 1) * (column + 1));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void eachPartIsNeeded(Part part) {
        Finding finding = finding(new Kernel(CopyShape.L128_B256, EnumSet.of(part)));
        assertThat(finding.hazard()).as(finding.message()).isInstanceOf(Hazard.Race.class);
    }

    private static Finding finding(Kernel kernel) {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (kernel.run(seed) instanceof RunEnd.Faulted faulted) {
                return faulted.finding();
            }
        }
        throw new AssertionError("no hazard within " + SEEDS + " seeds without " + kernel.missing());
    }

    @Test
    void assembles() throws Exception {
        Ptxas.assemble(new Kernel(CopyShape.L32_B128_ALL, EnumSet.noneOf(Part.class)).module());
    }
}
