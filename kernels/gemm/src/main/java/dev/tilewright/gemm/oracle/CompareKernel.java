package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Target;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares every element of D (packed) with the reference: {@code e = |d - ref| / (relative*|ref| + scale*S)}, see
 * {@link ErrorBound}. A NaN fails, and so does a poisoned element.
 *
 * <p>Parameters: d (pointer), reference, absolute (pointers to f32), result (pointer to {@link Result}), count (u64,
 * elements), relative, scale (f32), poison (u32, the bits of an element). The host puts {@link Result#initial()} there
 * first.
 */
public final class CompareKernel {
    public static final String ENTRY = entry(DataType.BF16);

    private static final int THREADS = 256;
    /** Elements a thread takes at once: 16 bytes of a D of 16 bits. */
    private static final int GROUP = 8;

    private CompareKernel() {}

    /**
     * The record that the kernel leaves, 32 bytes in this order, little-endian.
     *
     * @param failing elements whose e is above 1 or NaN
     * @param poisoned elements that still hold the poison pattern
     * @param firstFailing lowest failing index, -1 if none
     * @param maxError largest e; NaN if any was NaN
     */
    public record Result(long failing, long poisoned, long firstFailing, float maxError) {
        public static final int BYTES = 32;

        /** The record before the kernel runs. */
        public static long[] initial() {
            return new long[] {0, 0, -1, 0};
        }

        /** Reads the record; the buffer's order is little-endian. */
        public static Result read(ByteBuffer bytes) {
            return new Result(
                    bytes.getLong(0), bytes.getLong(8), bytes.getLong(16), Float.intBitsToFloat(bytes.getInt(24)));
        }
    }

    /** The registers a thread counts in. */
    private record Tally(Reg<B64> failing, Reg<B64> poisoned, Reg<B64> first, Reg<B32> maxError) {}

    /** The bound of every element. */
    private record Bound(Reg<F32> relative, Reg<F32> scale, Reg<B32> poison) {}

    /** Of a D of bf16, f16 or f32. */
    public static PtxModule build(DataType type) {
        ComparedElements elements = ComparedElements.of(type);
        return PtxModule.build(Target.SM_90A, m -> m.entry(entry(type), e -> entry(e, elements)));
    }

    public static String entry(DataType type) {
        return "compare_" + type;
    }

    /**
     * The launch for elements one behind the other.
     *
     * @param relative what the reference is multiplied with
     * @param scale what {@code absolute} is multiplied with; both products together are what is allowed
     */
    public static OracleLaunch launch(
            DataType type,
            long d,
            long reference,
            long absolute,
            long result,
            long count,
            float relative,
            float scale,
            int sms) {
        int grid = OracleLaunch.strideGrid(Math.ceilDiv(count, GROUP), THREADS, sms);
        return new OracleLaunch(
                entry(type),
                grid,
                THREADS,
                List.of(
                        d,
                        reference,
                        absolute,
                        result,
                        count,
                        relative,
                        scale,
                        ComparedElements.of(type).poison()));
    }

    private static void entry(EntryBuilder e, ComparedElements kind) {
        Param d = e.pointer("d");
        Param reference = e.pointer("reference");
        Param absolute = e.pointer("absolute");
        Param result = e.pointer("result");
        Param count = e.u64("count");
        Param relative = e.f32("relative");
        Param scale = e.f32("scale");
        Param poison = e.u32("poison");
        e.launchBounds(THREADS, 0);
        e.code(b -> {
            Reg<B64> pd = b.globalPointer(d);
            Reg<B64> pr = b.globalPointer(reference);
            Reg<B64> pa = b.globalPointer(absolute);
            Reg<B64> elements = b.param64(count);
            Bound bound = new Bound(b.paramF32(relative), b.paramF32(scale), b.param32(poison));
            Tally tally = new Tally(b.b64("failing"), b.b64("poisoned"), b.b64("first"), b.b32("max_error"));
            b.mov(tally.failing, 0);
            b.mov(tally.poisoned, 0);
            b.mov(tally.first, -1);
            b.mov(tally.maxError, 0);

            Reg<B64> groups = b.shr(elements, 3);
            GridStride.forEach(b, "groups", groups, (l, group) -> {
                List<Reg<B32>> words = kind.load(l, pd, group, GROUP);
                List<Reg<F32>> expected = eight(l, l.mad(group, 4L * GROUP, pr));
                List<Reg<F32>> sums = eight(l, l.mad(group, 4L * GROUP, pa));
                Reg<B64> index = l.shl(group, 3);
                for (int i = 0; i < GROUP; i++) {
                    Reg<B32> bits = kind.bits(l, words, i);
                    judge(l, kind, bits, expected.get(i), sums.get(i), l.add(index, i), bound, tally);
                }
            });
            // Fewer than a group are left: one for each of the first threads.
            Reg<B64> rest = b.add(b.shl(groups, 3), GridStride.threadIndex(b));
            b.ifThen(b.lt(rest, elements), t -> {
                Reg<B32> bits = kind.loadOne(t, t.mad(rest, kind.bytes(), pd));
                Reg<F32> expected = t.ldF32(GlobalAddress.of(t.mad(rest, 4, pr)));
                Reg<F32> sum = t.ldF32(GlobalAddress.of(t.mad(rest, 4, pa)));
                judge(t, kind, bits, expected, sum, rest, bound, tally);
            });
            report(b, b.globalPointer(result), tally);
            b.ret();
        });
    }

    private static void judge(
            CodeBuilder b,
            ComparedElements kind,
            Reg<B32> bits,
            Reg<F32> reference,
            Reg<F32> sum,
            Reg<B64> index,
            Bound bound,
            Tally tally) {
        Reg<F32> value = kind.value(b, bits);
        Reg<F32> error = b.fabs(b.fsub(value, reference));
        Reg<F32> allowed = b.fma(bound.relative, b.fabs(reference), b.fmul(bound.scale, sum));
        Reg<F32> quotient = b.fdiv(error, allowed);
        // Exact is right even where nothing is allowed, and of infinities: neither quotient is a number.
        Reg<Pred> exact = b.setp(Relation.EQ, ScalarType.F32, value, reference);
        Reg<F32> ratio = b.select(exact, Immediate.f32(0), quotient);
        // Non-negative floats are ordered as their bits are, and NaN lies above all of them.
        b.max(tally.maxError, tally.maxError, b.bitsOf(b.fabs(ratio)));
        Reg<Pred> fails = b.setp(Relation.GTU, ScalarType.F32, ratio, Immediate.f32(1));
        b.guarded(fails, g -> g.add(tally.failing, tally.failing, 1));
        b.guarded(fails, g -> g.min(tally.first, tally.first, index));
        Reg<Pred> poisoned = b.eq(bits, bound.poison);
        b.guarded(poisoned, g -> g.add(tally.poisoned, tally.poisoned, 1));
    }

    private static void report(CodeBuilder b, Reg<B64> result, Tally tally) {
        Ordering relaxed = Ordering.relaxed(Scope.GPU);
        GlobalAddress record = GlobalAddress.of(result);
        // One atomic for each warp: every thread has a maximum.
        for (int lanes = 16; lanes > 0; lanes /= 2) {
            b.max(tally.maxError, tally.maxError, b.shflXor(tally.maxError, lanes));
        }
        b.guarded(b.elect(), g -> g.red(relaxed, AtomicOperation.MAX, ScalarType.U32, record.plus(24), tally.maxError));
        b.ifThen(b.ne(tally.failing, 0), t -> {
            t.red(relaxed, AtomicOperation.ADD, ScalarType.U64, record, tally.failing);
            t.red(relaxed, AtomicOperation.MIN, ScalarType.U64, record.plus(16), tally.first);
        });
        b.guarded(
                b.ne(tally.poisoned, 0),
                g -> g.red(relaxed, AtomicOperation.ADD, ScalarType.U64, record.plus(8), tally.poisoned));
    }

    private static List<Reg<F32>> eight(CodeBuilder b, Reg<B64> at) {
        List<Reg<F32>> values = new ArrayList<>();
        for (int half = 0; half < 2; half++) {
            List<Reg<F32>> four = List.of(b.f32(), b.f32(), b.f32(), b.f32());
            b.ldVector(ScalarType.F32, four, new GlobalAddress(at, 16 * half));
            values.addAll(four);
        }
        return values;
    }
}
