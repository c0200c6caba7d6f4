package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
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
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Three products of ones, 128 x 16 x 32, one after the other through one accumulator: warp 4 multiplies, warps 0 to 3
 * store what it is. A test leaves out a part, or makes a mistake.
 */
record AccumulatorKernel(Set<Mistake> mistakes) {
    /** What is wrong with it. */
    enum Mistake {
        /** No fence.proxy.async behind the stores of the operands. */
        NO_PROXY_FENCE,
        /** No after_thread_sync before the multiplications. */
        NO_FENCE_BEFORE_MULTIPLY,
        /** Multiplications do not wait for the accumulator to be read. */
        NO_EMPTY_WAIT,
        /** No commit. */
        NO_COMMIT,
        /** The first multiplication adds to what nobody wrote. */
        ADDS_TO_POISON,
        /** Two multiplications of different shapes into one accumulator. */
        OTHER_SHAPE,
        /** No wait for the accumulator to be full. */
        NO_FULL_WAIT,
        /** No after_thread_sync before the load. */
        NO_FENCE_BEFORE_LOAD,
        /** No wait::ld. */
        NO_LOAD_WAIT,
        /** No wait::ld before the accumulator is released, but before the registers are used. */
        RELEASED_BEFORE_LOAD_WAIT,
        /** No before_thread_sync before the release of the accumulator. */
        NO_FENCE_BEFORE_RELEASE,
        /** One lane of each warp releases the accumulator, and the warp does not meet before. */
        RELEASED_BY_ONE_LANE,
        /** One lane of each warp releases the accumulator, and hands over nothing but its own part. */
        RELAXED_BY_ONE_LANE,
        /** The accumulator waits for one arrival less than it gets readers. */
        FEWER_READERS,
        /** Each warp loads the lanes of warp 0. */
        WRONG_LANES,
        /** The load reaches columns that nobody allocated. */
        UNALLOCATED,
        /** The load reaches columns that nobody wrote, and uses them. */
        POISON,
        /** No barrier before the columns are given back. */
        EARLY_DEALLOC,
        NO_DEALLOC,
        /** Gives back fewer columns than it got. */
        PARTIAL_DEALLOC,
        ALLOC_AFTER_RELINQUISH,
        GROWING_ALLOC,
        /** The matrix descriptor without its constant. */
        NO_CONSTANT,
        /** M = 96. */
        WRONG_M,
        /** A commit for pairs. */
        MIXED_GROUPS
    }

    private static final int THREADS = 160;
    private static final int TILES = 3;
    private static final int ROWS = 128;
    private static final int WARPS = ROWS / 32;
    private static final int N = 16;
    private static final int DEPTH = 32;
    private static final int SEEDS = 30;

    static AccumulatorKernel right() {
        return new AccumulatorKernel(EnumSet.noneOf(Mistake.class));
    }

    static AccumulatorKernel with(Mistake mistake) {
        return new AccumulatorKernel(EnumSet.of(mistake));
    }

    private boolean has(Mistake mistake) {
        return mistakes.contains(mistake);
    }

    PtxModule module() {
        return PtxModule.build(Target.SM_100A, m -> m.entry("accumulate", this::entry));
    }

    private record Addresses(Reg<B32> base, int data, SharedAddress full, SharedAddress empty, Reg<B32> tensor) {}

    private void entry(EntryBuilder e) {
        Param out = e.pointer("d");
        e.launchBounds(THREADS, 1);
        SharedRegion data = e.shared("data", ROWS * DEPTH * 2, 1024);
        SharedRegion barriers = e.barriers("bar", 2);
        SharedRegion address = e.shared("address", 16, 16);
        e.code(b -> {
            Reg<B32> base = b.sharedBase();
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            SharedAddress full = new SharedAddress(base, barriers.offset());
            SharedAddress empty = full.plus(8);
            b.ifThen(b.eq(thread, 0), t -> {
                t.mbarrierInit(full, 1);
                t.mbarrierInit(empty, byOneLane() ? WARPS : has(Mistake.FEWER_READERS) ? ROWS - 32 : ROWS);
                t.fenceBarrierInit();
            });
            b.ifThen(b.eq(b.warpIndex(), 4), w -> allocate(w, new SharedAddress(base, address.offset())));
            b.ifThen(
                    b.lt(thread, ROWS),
                    t -> t.forRange("fill", 0, Immediate.b32(DEPTH / 2), (l, i) -> {
                        Reg<B32> at = l.add(l.mad(thread, DEPTH * 2, base), l.shl(i, 2));
                        l.st32(new SharedAddress(at, data.offset()), Immediate.b32(0x3F803F80));
                    }));
            if (!has(Mistake.NO_PROXY_FENCE)) {
                b.fenceProxyAsyncShared();
            }
            b.syncThreads();
            Reg<B32> tensor = b.ld32(new SharedAddress(base, address.offset()));
            Addresses addresses = new Addresses(base, data.offset(), full, empty, tensor);
            b.ifThen(b.eq(thread, ROWS), t -> multiply(t, addresses));
            b.ifThen(b.lt(thread, ROWS), t -> store(t, addresses, thread, out));
            b.syncWarp();
            if (!has(Mistake.EARLY_DEALLOC)) {
                b.syncThreads();
            }
            if (!has(Mistake.NO_DEALLOC)) {
                b.ifThen(
                        b.eq(b.warpIndex(), 4),
                        w -> w.tensorDeallocate(CtaGroup.ONE, tensor, has(Mistake.PARTIAL_DEALLOC) ? 32 : allocated()));
            }
            b.ret();
        });
    }

    private boolean byOneLane() {
        return has(Mistake.RELEASED_BY_ONE_LANE) || has(Mistake.RELAXED_BY_ONE_LANE);
    }

    private int allocated() {
        return 64;
    }

    private void allocate(CodeBuilder b, SharedAddress to) {
        if (has(Mistake.GROWING_ALLOC)) {
            b.tensorAllocate(CtaGroup.ONE, to.plus(4), 32);
        }
        b.tensorAllocate(CtaGroup.ONE, to, allocated());
        b.tensorRelinquish(CtaGroup.ONE);
        if (has(Mistake.ALLOC_AFTER_RELINQUISH)) {
            b.tensorAllocate(CtaGroup.ONE, to.plus(4), 32);
        }
    }

    private void multiply(CodeBuilder b, Addresses p) {
        int m = has(Mistake.WRONG_M) ? 96 : ROWS;
        Reg<B32> descriptor = b.b32("idesc", 1 << 4 | 1 << 7 | 1 << 10 | N / 8 << 17 | m / 16 << 24);
        Reg<B32> wider = b.b32("wider", 1 << 4 | 1 << 7 | 1 << 10 | 2 * N / 8 << 17 | m / 16 << 24);
        int high = 0x80000020 | (has(Mistake.NO_CONSTANT) ? 0 : 1 << 14);
        b.forRange("tile", 0, Immediate.b32(TILES), (l, tile) -> {
            Reg<B32> parity = l.xor(l.and(tile, 1), Immediate.b32(1));
            if (!has(Mistake.NO_EMPTY_WAIT)) {
                l.waitParity(p.empty, parity);
            }
            if (!has(Mistake.NO_FENCE_BEFORE_MULTIPLY)) {
                l.tensorFenceAfterSync();
            }
            for (int step = 0; step < DEPTH / 16; step++) {
                Reg<B32> start = l.shr(l.and(l.add(p.base, p.data + 32 * step), 0x3FFFF), 4);
                Reg<B64> matrix = l.pack(l.or(start, 1 << 16), Immediate.b32(high));
                Reg<Pred> adds = step > 0 || has(Mistake.ADDS_TO_POISON) ? l.eq(start, start) : l.ne(start, start);
                boolean other = has(Mistake.OTHER_SHAPE) && step == 0;
                l.tensorMultiply(
                        CtaGroup.ONE,
                        Kind.F16,
                        TensorAddress.of(p.tensor),
                        matrix,
                        matrix,
                        other ? wider : descriptor,
                        adds);
            }
            if (!has(Mistake.NO_COMMIT)) {
                l.tensorCommit(
                        has(Mistake.MIXED_GROUPS) ? CtaGroup.TWO : CtaGroup.ONE,
                        new ClusterAddress(p.full.base(), p.full.offset()));
            }
        });
    }

    private void store(CodeBuilder b, Addresses p, Reg<B32> thread, Param out) {
        Reg<B32> lanes = has(Mistake.WRONG_LANES) ? p.tensor : b.add(p.tensor, b.shl(b.shr(thread, 5), 21));
        Reg<B64> to = b.madWide(thread, N * 4, b.globalPointer(out));
        int column = has(Mistake.UNALLOCATED) ? 56 : has(Mistake.POISON) ? 8 : 0;
        b.forRange("tile", 0, Immediate.b32(TILES), (l, tile) -> {
            if (!has(Mistake.NO_FULL_WAIT)) {
                l.waitParity(p.full, l.and(tile, 1));
            }
            if (!has(Mistake.NO_FENCE_BEFORE_LOAD)) {
                l.tensorFenceAfterSync();
            }
            List<Reg<B32>> x = l.b32Array("x", N);
            l.tensorRead(x, new TensorAddress(lanes, column));
            boolean late = has(Mistake.RELEASED_BEFORE_LOAD_WAIT);
            if (!late && !has(Mistake.NO_LOAD_WAIT)) {
                l.tensorWaitRead();
            }
            if (!has(Mistake.NO_FENCE_BEFORE_RELEASE)) {
                l.tensorFenceBeforeSync();
            }
            release(l, p.empty, thread);
            if (late) {
                l.tensorWaitRead();
            }
            for (int i = 0; i < N; i++) {
                l.st32(new GlobalAddress(to, 4 * i), x.get(i));
            }
        });
        b.tensorFenceBeforeSync();
    }

    private void release(CodeBuilder b, SharedAddress empty, Reg<B32> thread) {
        if (!byOneLane()) {
            b.mbarrierArrive(Ordering.release(Scope.CTA), empty, 1);
            return;
        }
        boolean relaxed = has(Mistake.RELAXED_BY_ONE_LANE);
        if (relaxed) {
            b.syncWarp();
        }
        Ordering ordering = relaxed ? Ordering.relaxed(Scope.CTA) : Ordering.release(Scope.CTA);
        b.ifThen(b.eq(b.and(thread, 31), 0), lane -> lane.mbarrierArrive(ordering, empty, 1));
    }

    // ---- the run ------------------------------------------------------------------------------------------------

    RunEnd run(long seed) {
        return run(Options.seed(seed));
    }

    RunEnd run(Options options) {
        int bytes = ROWS * N * 4;
        Launch launch = new Launch(
                "accumulate",
                Dim3.of(1),
                Dim3.of(THREADS),
                Dim3.of(1),
                module().entry("accumulate").dynamicShared().bytes(),
                List.of(new Argument.Pointer("d", 0)),
                List.of(Buffer.of("d", new byte[bytes])));
        return new PtxEmulator(module(), "accumulate").run(launch, options.withStepLimit(300_000));
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
