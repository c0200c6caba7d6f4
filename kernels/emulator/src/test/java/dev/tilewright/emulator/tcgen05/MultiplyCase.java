package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.matrix.Elements;
import dev.tilewright.emulator.matrix.SharedLayout;
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
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.CopyShape;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.type.TensorAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * D = A * B (+ C) by one CTA or a pair: a bulk copy brings the image of shared memory, tcgen05.st brings C, one
 * tcgen05.mma for each step along k follows, tcgen05.ld brings D to registers.
 *
 * @param a layout of a CTA's rows of A
 * @param b layout of a CTA's columns of B
 * @param tensorA whether tcgen05.cp brings A into tensor memory
 * @param add whether C is added
 * @param disabled words of lanes of D that are not updated, or none
 */
record MultiplyCase(
        CtaGroup group,
        Kind kind,
        SharedLayout a,
        SharedLayout b,
        Element accumulator,
        boolean tensorA,
        boolean negateB,
        boolean add,
        List<Integer> disabled) {
    private static final int THREADS = 128;
    private static final int PANEL = 8;

    MultiplyCase(CtaGroup group, Kind kind, SharedLayout a, SharedLayout b, Element accumulator) {
        this(group, kind, a, b, accumulator, false, false, false, List.of());
    }

    MultiplyCase withTensorA() {
        return new MultiplyCase(group, kind, a, b, accumulator, true, negateB, add, disabled);
    }

    MultiplyCase adding() {
        return new MultiplyCase(group, kind, a, b, accumulator, tensorA, negateB, true, disabled);
    }

    MultiplyCase negatingB() {
        return new MultiplyCase(group, kind, a, b, accumulator, tensorA, true, add, disabled);
    }

    /** Adds, and leaves lanes as they are. */
    MultiplyCase disabling(Integer... words) {
        return new MultiplyCase(group, kind, a, b, accumulator, tensorA, negateB, true, List.of(words));
    }

    private int m() {
        return a.rows() * group.ctas();
    }

    private int n() {
        return b.rows() * group.ctas();
    }

    private int k() {
        return 256 / a.type().bits();
    }

    private int steps() {
        return a.depth() / k();
    }

    private boolean halves() {
        return a.rows() == 64 && group == CtaGroup.TWO;
    }

    /** Columns of D in tensor memory. */
    private int columns() {
        return halves() ? n() / 2 : n();
    }

    /** Columns allocated: D, then A. */
    private int allocated() {
        int needed = columns() + (tensorA ? 8 * steps() : 0);
        return Math.max(32, Integer.highestOneBit(2 * needed - 1));
    }

    private int startB() {
        return a.bytes() + 1024;
    }

    private int image() {
        return startB() + b.bytes() + 1024;
    }

    /** The instruction descriptor, by table 42 of PTX. */
    private int descriptor() {
        int d = accumulator == Element.F16 ? 0 : accumulator == Element.F32 ? 1 : 2;
        return d << 4
                | code(a.type()) << 7
                | code(b.type()) << 10
                | (negateB ? 1 : 0) << 14
                | (a.transposed() ? 1 : 0) << 15
                | (b.transposed() ? 1 : 0) << 16
                | n() / 8 << 17
                | m() / 16 << 24;
    }

    private static int code(Element type) {
        return switch (type) {
            case BF16, E5M2, S8 -> 1;
            case TF32 -> 2;
            default -> 0;
        };
    }

    // ---- the kernel ---------------------------------------------------------------------------------------------

    PtxModule module() {
        return PtxModule.build(Target.SM_100A, m -> m.entry("multiply", this::entry));
    }

    private void entry(EntryBuilder e) {
        Param in = e.pointer("image");
        Param c = e.pointer("c");
        Param out = e.pointer("d");
        e.launchBounds(THREADS, 1);
        if (group == CtaGroup.TWO) {
            e.cluster(2, 1, 1);
        }
        SharedRegion data = e.shared("data", image(), 1024);
        SharedRegion barriers = e.barriers("bar", 2);
        SharedRegion address = e.shared("address", 16, 16);
        e.code(b -> {
            Reg<B32> base = b.sharedBase();
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
            SharedAddress loaded = new SharedAddress(base, barriers.offset());
            SharedAddress done = loaded.plus(8);
            Reg<Pred> first = b.eq(thread, 0);
            b.ifThen(first, t -> {
                t.mbarrierInit(loaded, 1);
                t.mbarrierInit(done, 1);
                t.fenceBarrierInit();
            });
            b.ifThen(b.eq(b.warpIndex(), 0), w -> {
                w.tensorAllocate(group, new SharedAddress(base, address.offset()), allocated());
                w.tensorRelinquish(group);
            });
            sync(b);
            b.ifThen(first, t -> {
                t.mbarrierArriveExpectTx(loaded, image());
                Reg<B64> from = t.madWide(rank, image(), t.globalPointer(in));
                t.with(new BulkCopy.Load(
                        new SharedAddress(base, data.offset()),
                        GlobalAddress.of(from),
                        Immediate.b32(image()),
                        loaded,
                        Optional.empty(),
                        Optional.empty()));
            });
            Reg<B32> tensor = b.ld32(new SharedAddress(base, address.offset()));
            Reg<B32> quarter = b.add(tensor, b.shl(b.shr(thread, 5), 21));
            b.waitParity(loaded, Immediate.b32(0));
            Reg<B32> cell = b.mad(rank, THREADS * columns() * 4, b.mulLo(thread, columns() * 4));
            Reg<Pred> used = used(b, thread);
            if (add) {
                Reg<B64> from = b.add(b.globalPointer(c), b.widen(cell));
                for (int column = 0; column < columns(); column += PANEL) {
                    List<Reg<B32>> x = b.b32Array("c" + column, PANEL);
                    for (int i = 0; i < PANEL; i++) {
                        b.ld(
                                dev.tilewright.ptx.type.ScalarType.B32,
                                x.get(i),
                                new GlobalAddress(from, 4 * (column + i)));
                    }
                    b.tensorWrite(new TensorAddress(quarter, column), x);
                }
                b.with(new Tcgen05.WaitStore());
                b.tensorFenceBeforeSync();
            }
            sync(b);
            Reg<Pred> issues = b.andPred(first, b.eq(rank, 0));
            b.ifThen(issues, t -> issue(t, base, data.offset(), tensor, done));
            b.waitParity(done, Immediate.b32(0));
            b.tensorFenceAfterSync();
            Reg<B64> to = b.add(b.globalPointer(out), b.widen(cell));
            for (int column = 0; column < columns(); column += PANEL) {
                List<Reg<B32>> x = b.b32Array("d" + column, PANEL);
                b.tensorRead(x, new TensorAddress(quarter, column));
                b.tensorWaitRead();
                int at = column;
                b.guarded(used, g -> {
                    for (int i = 0; i < PANEL; i++) {
                        g.st32(new GlobalAddress(to, 4 * (at + i)), x.get(i));
                    }
                });
            }
            b.tensorFenceBeforeSync();
            sync(b);
            b.ifThen(b.eq(b.warpIndex(), 0), w -> w.tensorDeallocate(group, tensor, allocated()));
            b.ret();
        });
    }

    private void sync(CodeBuilder b) {
        if (group == CtaGroup.ONE) {
            b.syncThreads();
        } else {
            b.clusterSync();
        }
    }

    /** Whether a thread's lane of tensor memory holds anything. */
    private Reg<Pred> used(CodeBuilder b, Reg<B32> thread) {
        return a.rows() == 64 && !halves() ? b.lt(b.and(thread, 31), 16) : b.lt(thread, THREADS);
    }

    private void issue(CodeBuilder b, Reg<B32> base, int data, Reg<B32> tensor, SharedAddress done) {
        b.tensorFenceAfterSync();
        Reg<B32> descriptor = b.b32("descriptor", descriptor());
        for (int step = 0; step < steps(); step++) {
            Reg<B64> da = descriptor(b, base, data + 128 * a.shift() + step * a.step(), a.tensorDescriptor());
            Reg<B64> db = descriptor(
                    b, base, data + startB() + 128 * b().shift() + step * b().step(), b().tensorDescriptor());
            Reg<Pred> accumulate = add || step > 0 ? b.eq(descriptor, descriptor) : b.ne(descriptor, descriptor);
            Tcgen05.MatrixA from = new Tcgen05.MatrixA.Descriptor(da);
            if (tensorA) {
                TensorAddress copied = new TensorAddress(tensor, columns() + 8 * step);
                b.with(new Tcgen05.Copy(group, CopyShape.L128_B256, copied, da));
                from = new Tcgen05.MatrixA.Tensor(copied);
            }
            List<Reg<B32>> lanes = b.b32Array("lanes" + step, disabled.size());
            for (int i = 0; i < lanes.size(); i++) {
                b.mov(lanes.get(i), Immediate.b32(disabled.get(i)));
            }
            b.with(new Tcgen05.Multiply(
                    group, kind, TensorAddress.of(tensor), from, db, descriptor, lanes, accumulate));
        }
        if (group == CtaGroup.ONE) {
            b.tensorCommit(group, new ClusterAddress(done.base(), done.offset()));
        } else {
            Reg<B16> both = b.narrow16(b.b32("both", 3));
            b.tensorCommit(group, new ClusterAddress(done.base(), done.offset()), both);
        }
    }

    private static Reg<B64> descriptor(CodeBuilder b, Reg<B32> base, int offset, long bits) {
        Reg<B32> low = b.or(b.shr(b.and(b.add(base, offset), 0x3FFFF), 4), bits & 0xFFFFFFFFL);
        return b.pack(low, Immediate.b32((int) (bits >>> 32)));
    }

    // ---- the run ------------------------------------------------------------------------------------------------

    /** Runs it on integers; what is wrong first, or nothing. */
    String firstWrong(SplittableRandom random, long seed) {
        int[][] matrixA = Elements.random(random, a.type(), m(), a.depth());
        int[][] matrixB = Elements.random(random, b.type(), n(), b.depth());
        int[][] matrixC = Elements.random(random, accumulator, m(), n());
        int ctas = group.ctas();
        ByteBuffer image = buffer(ctas * image());
        for (int cta = 0; cta < ctas; cta++) {
            int start = cta * image();
            a.fill(image, start + 128 * a.shift(), rows(matrixA, cta * a.rows(), a.rows()));
            b.fill(image, start + startB() + 128 * b.shift(), rows(matrixB, cta * b.rows(), b.rows()));
        }
        ByteBuffer c = buffer(ctas * THREADS * columns() * 4);
        for (int row = 0; row < m(); row++) {
            for (int column = 0; column < n(); column++) {
                Elements.put(c, offset(row, column), accumulator, matrixC[row][column]);
            }
        }
        Launch launch = new Launch(
                "multiply",
                Dim3.of(ctas),
                Dim3.of(THREADS),
                Dim3.of(ctas),
                module().entry("multiply").dynamicShared().bytes(),
                List.of(new Argument.Pointer("image", 0), new Argument.Pointer("c", 0), new Argument.Pointer("d", 0)),
                List.of(
                        Buffer.of("image", image.array()),
                        Buffer.of("c", c.array()),
                        Buffer.of("d", new byte[c.capacity()])));
        RunEnd verdict = new PtxEmulator(module(), "multiply")
                .run(launch, Options.seed(seed).withStepLimit(1_000_000));
        if (!(verdict instanceof RunEnd.Completed completed)) {
            return ((RunEnd.Faulted) verdict).finding().message() + " in " + this;
        }
        ByteBuffer d = ByteBuffer.wrap(completed.buffer("d")).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < m(); row++) {
            for (int column = 0; column < n(); column++) {
                double got = Elements.get(d, offset(row, column), accumulator);
                long expected = add ? matrixC[row][column] : 0;
                int lane = offset(row, column) / 4 / columns();
                boolean updated = disabled.isEmpty() || (disabled.get(lane / 32) >>> lane % 32 & 1) == 0;
                for (int i = 0; updated && i < a.depth(); i++) {
                    expected += (long) matrixA[row][i] * matrixB[column][i] * (negateB ? -1 : 1);
                }
                if (got != expected) {
                    return "(" + row + ", " + column + ") is " + got + ", not " + expected + " in " + this;
                }
            }
        }
        return "";
    }

    private static int[][] rows(int[][] matrix, int first, int count) {
        return java.util.Arrays.copyOfRange(matrix, first, first + count);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Byte of an element of D in a buffer of all lanes; layouts A, B, D and F of PTX. */
    private int offset(int row, int column) {
        int within = row % a.rows();
        int lane = within;
        int at = column;
        if (halves()) {
            lane = within + (column >= n() / 2 ? 64 : 0);
            at = column % (n() / 2);
        } else if (a.rows() == 64) {
            lane = within / 16 * 32 + within % 16;
        }
        return ((row / a.rows() * THREADS + lane) * columns() + at) * 4;
    }
}
