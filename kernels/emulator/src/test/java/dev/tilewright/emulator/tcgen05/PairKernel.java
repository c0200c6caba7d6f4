package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.type.TensorAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * D = A * A' by a pair, 256 x 32 x 64: each CTA loads its rows of A and its columns of B with a barrier in the even
 * CTA, which multiplies; both store their half of D. A test makes a mistake.
 */
record PairKernel(Set<Mistake> mistakes) {
    /** What is wrong with it. */
    enum Mistake {
        /** The odd CTA gives its columns back before the barrier, the even one behind it. PTX table 48. */
        DEALLOC_ON_BOTH_SIDES,
        /** The odd CTA allocates nothing. */
        ONE_ALLOCATES,
        /** The odd CTA asks for other columns. */
        OTHER_COLUMNS,
        /** The commit tells the even CTA alone. */
        NO_MULTICAST,
        /** Columns are given back without a barrier of the pair. */
        EARLY_DEALLOC,
        /** Each CTA counts on its own barrier, and the even one waits for its own alone. */
        OWN_BARRIERS
    }

    private static final int THREADS = 128;
    private static final int ROWS = 128;
    private static final int N = 32;
    private static final int DEPTH = 64;
    private static final int BYTES_A = ROWS * DEPTH * 2;
    private static final int BYTES_B = N / 2 * DEPTH * 2;
    private static final int COLUMNS = 32;
    private static final int SEEDS = 30;

    static PairKernel right() {
        return new PairKernel(EnumSet.noneOf(Mistake.class));
    }

    static PairKernel with(Mistake mistake) {
        return new PairKernel(EnumSet.of(mistake));
    }

    private boolean has(Mistake mistake) {
        return mistakes.contains(mistake);
    }

    PtxModule module() {
        return PtxModule.build(Target.SM_100A, m -> m.entry("pair", this::entry));
    }

    private void entry(EntryBuilder e) {
        Param mapA = e.tensorMap("a");
        Param mapB = e.tensorMap("b");
        Param out = e.pointer("d");
        e.launchBounds(THREADS, 1);
        e.cluster(2, 1, 1);
        SharedRegion a = e.shared("a", BYTES_A, 1024);
        SharedRegion other = e.shared("b", BYTES_B, 1024);
        SharedRegion barriers = e.barriers("bar", 2);
        SharedRegion address = e.shared("address", 16, 16);
        e.code(b -> {
            Reg<B32> base = b.sharedBase();
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
            Reg<Pred> even = b.eq(rank, 0);
            SharedAddress full = new SharedAddress(base, barriers.offset());
            SharedAddress done = full.plus(8);
            SharedAddress answer = new SharedAddress(base, address.offset());
            b.ifThen(b.eq(thread, 0), t -> {
                t.mbarrierInit(full, 1);
                t.mbarrierInit(done, 1);
                t.fenceBarrierInit();
            });
            Reg<Pred> allocates = b.eq(b.warpIndex(), 0);
            if (has(Mistake.ONE_ALLOCATES)) {
                b.andPred(allocates, allocates, even);
            }
            if (has(Mistake.OTHER_COLUMNS)) {
                b.ifThen(b.andPred(allocates, even), w -> w.tensorAllocate(CtaGroup.TWO, answer, COLUMNS));
                b.ifThen(
                        b.andPred(allocates, b.notPred(even)),
                        w -> w.tensorAllocate(CtaGroup.TWO, answer, 2 * COLUMNS));
            } else {
                b.ifThen(allocates, w -> w.tensorAllocate(CtaGroup.TWO, answer, COLUMNS));
            }
            b.ifThen(allocates, w -> w.tensorRelinquish(CtaGroup.TWO));
            b.clusterSync();
            Reg<B32> tensor = b.ld32(answer);
            b.ifThen(b.eq(thread, 0), t -> load(t, base, a, other, full, rank, even, mapA, mapB));
            Reg<Pred> issues = b.andPred(b.eq(thread, 0), even);
            b.ifThen(issues, t -> multiply(t, base, a, other, full, done, tensor));
            b.waitParity(done, Immediate.b32(0));
            b.tensorFenceAfterSync();
            List<Reg<B32>> x = b.b32Array("x", N);
            b.tensorRead(x, TensorAddress.of(b.add(tensor, b.shl(b.shr(thread, 5), 21))));
            b.tensorWaitRead();
            Reg<B64> to = b.madWide(b.mad(rank, ROWS, thread), N * 4, b.globalPointer(out));
            for (int i = 0; i < N; i++) {
                b.st32(new GlobalAddress(to, 4 * i), x.get(i));
            }
            b.tensorFenceBeforeSync();
            free(b, tensor, even);
            b.ret();
        });
    }

    private void free(CodeBuilder b, Reg<B32> tensor, Reg<Pred> even) {
        Reg<Pred> frees = b.eq(b.warpIndex(), 0);
        if (has(Mistake.EARLY_DEALLOC)) {
            b.syncThreads();
            b.ifThen(frees, w -> w.tensorDeallocate(CtaGroup.TWO, tensor, COLUMNS));
            b.clusterSync();
            return;
        }
        b.clusterSync();
        if (has(Mistake.DEALLOC_ON_BOTH_SIDES)) {
            b.ifThen(b.andPred(frees, b.notPred(even)), w -> w.tensorDeallocate(CtaGroup.TWO, tensor, COLUMNS));
            b.clusterSync();
            b.ifThen(b.andPred(frees, even), w -> w.tensorDeallocate(CtaGroup.TWO, tensor, COLUMNS));
            return;
        }
        b.ifThen(frees, w -> w.tensorDeallocate(CtaGroup.TWO, tensor, COLUMNS));
    }

    private void load(
            CodeBuilder b,
            Reg<B32> base,
            SharedRegion a,
            SharedRegion other,
            SharedAddress full,
            Reg<B32> rank,
            Reg<Pred> even,
            Param mapA,
            Param mapB) {
        boolean own = has(Mistake.OWN_BARRIERS);
        if (own) {
            b.mbarrierArriveExpectTx(full, BYTES_A + BYTES_B);
        } else {
            b.ifThen(even, t -> t.mbarrierArriveExpectTx(full, 2 * (BYTES_A + BYTES_B)));
        }
        ClusterAddress counting = own
                ? new ClusterAddress(full.base(), full.offset())
                : b.mapToRank(b.add(full.base(), full.offset()), Immediate.b32(0));
        Reg<B32> zero = b.b32("zero", 0);
        b.tensorLoad(
                CtaGroup.TWO,
                new SharedAddress(base, a.offset()),
                b.tensorMap(mapA),
                List.of(zero, b.mulLo(rank, ROWS)),
                counting,
                Optional.empty());
        b.tensorLoad(
                CtaGroup.TWO,
                new SharedAddress(base, other.offset()),
                b.tensorMap(mapB),
                List.of(zero, b.mulLo(rank, N / 2)),
                counting,
                Optional.empty());
    }

    private void multiply(
            CodeBuilder b,
            Reg<B32> base,
            SharedRegion a,
            SharedRegion other,
            SharedAddress full,
            SharedAddress done,
            Reg<B32> tensor) {
        b.waitParity(full, Immediate.b32(0));
        b.tensorFenceAfterSync();
        Reg<B32> descriptor = b.b32("idesc", 1 << 4 | 1 << 7 | 1 << 10 | N / 8 << 17 | 2 * ROWS / 16 << 24);
        for (int step = 0; step < DEPTH / 16; step++) {
            b.tensorMultiply(
                    CtaGroup.TWO,
                    Kind.F16,
                    TensorAddress.of(tensor),
                    matrix(b, base, a.offset() + 32 * step),
                    matrix(b, base, other.offset() + 32 * step),
                    descriptor,
                    step > 0 ? b.eq(descriptor, descriptor) : b.ne(descriptor, descriptor));
        }
        ClusterAddress barrier = new ClusterAddress(done.base(), done.offset());
        if (has(Mistake.NO_MULTICAST)) {
            b.tensorCommit(CtaGroup.TWO, barrier);
        } else {
            b.tensorCommit(CtaGroup.TWO, barrier, b.narrow16(b.b32("both", 3)));
        }
    }

    private static Reg<B64> matrix(CodeBuilder b, Reg<B32> base, int offset) {
        Reg<B32> start = b.shr(b.and(b.add(base, offset), 0x3FFFF), 4);
        return b.pack(b.or(start, 1 << 16), Immediate.b32(0x40004040));
    }

    // ---- the run ------------------------------------------------------------------------------------------------

    private static short bf16(int value) {
        return (short) (Float.floatToRawIntBits(value) >>> 16);
    }

    private static int a(int row, int k) {
        return (row * 7 + k * 3) % 11 - 5;
    }

    private static int b(int column, int k) {
        return (column * 5 + k) % 13 - 6;
    }

    RunEnd run(long seed) {
        ByteBuffer a = ByteBuffer.allocate(2 * BYTES_A).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer b = ByteBuffer.allocate(2 * BYTES_B).order(ByteOrder.LITTLE_ENDIAN);
        for (int k = 0; k < DEPTH; k++) {
            for (int row = 0; row < 2 * ROWS; row++) {
                a.putShort(2 * (row * DEPTH + k), bf16(a(row, k)));
            }
            for (int column = 0; column < N; column++) {
                b.putShort(2 * (column * DEPTH + k), bf16(b(column, k)));
            }
        }
        Launch launch = new Launch(
                "pair",
                Dim3.of(2),
                Dim3.of(THREADS),
                Dim3.of(2),
                module().entry("pair").dynamicShared().bytes(),
                List.of(
                        new Argument.Map("a", 0, map(2 * ROWS, ROWS)),
                        new Argument.Map("b", 0, map(N, N / 2)),
                        new Argument.Pointer("d", 0)),
                List.of(
                        Buffer.of("a", a.array()),
                        Buffer.of("b", b.array()),
                        Buffer.of("d", new byte[2 * ROWS * N * 4])));
        return new PtxEmulator(module(), "pair").run(launch, Options.seed(seed).withStepLimit(300_000));
    }

    private static TensorMap map(long rows, int box) {
        return TensorMap.tiled(
                ScalarType.BF16, List.of((long) DEPTH, rows), List.of(2L * DEPTH), List.of(DEPTH, box), Swizzle.B128);
    }

    /** The first element that is wrong, or nothing. */
    static String firstWrong(RunEnd.Completed run) {
        ByteBuffer d = ByteBuffer.wrap(run.buffer("d")).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < 2 * ROWS; row++) {
            for (int column = 0; column < N; column++) {
                int expected = 0;
                for (int k = 0; k < DEPTH; k++) {
                    expected += a(row, k) * b(column, k);
                }
                float got = d.getFloat(4 * (row * N + column));
                if (got != expected) {
                    return "(" + row + ", " + column + ") is " + got + ", not " + expected;
                }
            }
        }
        return "";
    }

    /** The finding of the first seed that has one. */
    Finding finding() {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (run(seed) instanceof RunEnd.Faulted faulted) {
                return faulted.finding();
            }
        }
        throw new AssertionError("no hazard within " + SEEDS + " seeds with " + mistakes);
    }
}
