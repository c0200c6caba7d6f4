package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.FloatMath.UnaryOperation;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.Locale;

/**
 * Fills a buffer from a seed. Elements 2i and 2i+1 come from one 64-bit hash of (seed, i) - splitmix64, a counter-based
 * generator - so the content depends on seed and index alone, not on the grid. NORMAL is Box-Muller on the two halves,
 * ONE_SIGN its magnitudes; INTEGERS are -4..4, whose products and sums a float holds exactly.
 *
 * <p>Parameters: buffer (pointer, 16-byte aligned), count (u64, elements), seed (u64).
 */
public final class FillKernel {
    /** How values are drawn. */
    public enum Distribution {
        /** Mean 0, standard deviation 1. */
        NORMAL,
        /** Whole numbers -4..4, all equally likely. */
        INTEGERS,
        /** Magnitudes of normal ones: sums of their products grow with K, and show what is cut off. */
        ONE_SIGN
    }

    static final long GOLDEN = 0x9E3779B97F4A7C15L;
    static final long MIX_1 = 0xBF58476D1CE4E5B9L;
    static final long MIX_2 = 0x94D049BB133111EBL;
    private static final int THREADS = 256;

    private FillKernel() {}

    /** A module with one entry for each distribution of bf16 and f32. */
    public static PtxModule build() {
        return build(List.of(DataType.BF16, DataType.F32));
    }

    /** A module with one entry for each of these elements and each distribution. */
    public static PtxModule build(List<DataType> elements) {
        return PtxModule.build(Target.SM_90A, m -> {
            for (DataType element : elements) {
                for (Distribution distribution : Distribution.values()) {
                    m.entry(entry(element, distribution), e -> entry(e, element, distribution));
                }
            }
        });
    }

    public static String entry(DataType element, Distribution distribution) {
        return ("fill_" + element + "_" + distribution).toLowerCase(Locale.ROOT);
    }

    /** The launch that fills {@code count} elements. */
    public static OracleLaunch launch(
            DataType element, Distribution distribution, long buffer, long count, long seed, int sms) {
        int grid = OracleLaunch.strideGrid(Math.ceilDiv(count, 2), THREADS, sms);
        return new OracleLaunch(entry(element, distribution), grid, THREADS, List.of(buffer, count, seed));
    }

    private static void entry(EntryBuilder e, DataType element, Distribution distribution) {
        Param buffer = e.pointer("buffer");
        Param count = e.u64("count");
        Param seed = e.u64("seed");
        e.launchBounds(THREADS, 0);
        e.code(b -> {
            Reg<B64> base = b.globalPointer(buffer);
            Reg<B64> elements = b.param64(count);
            Reg<B64> start = b.param64(seed);
            Reg<B64> pairs = b.shr(b.add(elements, 1), 1);
            GridStride.forEach(b, "pairs", pairs, (l, i) -> {
                Reg<B64> hash = hash(l, start, i);
                Reg<B32> low = l.b32();
                Reg<B32> high = l.b32();
                l.unpack(low, high, hash);
                List<Reg<F32>> pair = switch (distribution) {
                    case NORMAL -> normal(l, low, high);
                    case INTEGERS -> List.of(integer(l, low), integer(l, high));
                    case ONE_SIGN -> normal(l, low, high).stream().map(l::fabs).toList();
                };
                store(l, element, base, elements, i, pair);
            });
            b.ret();
        });
    }

    /** splitmix64 of {@code seed + (i + 1) * GOLDEN}. */
    private static Reg<B64> hash(CodeBuilder b, Reg<B64> seed, Reg<B64> i) {
        Reg<B64> z = b.mad(b.add(i, 1), GOLDEN, seed);
        z = b.mulLo(b.xor(z, b.shr(z, 30)), MIX_1);
        z = b.mulLo(b.xor(z, b.shr(z, 27)), MIX_2);
        return b.xor(z, b.shr(z, 31));
    }

    /**
     * Two independent normal values from two uniform ones of 24 bits: r = sqrt(-2 ln u), times cos and sin of 2 pi v.
     */
    private static List<Reg<F32>> normal(CodeBuilder b, Reg<B32> low, Reg<B32> high) {
        // The middle of each of 2^24 cells: never 0, whose logarithm is infinite.
        Reg<F32> u = b.fma(b.toFloat(b.shr(low, 8)), Immediate.f32(0x1p-24f), Immediate.f32(0x1p-25f));
        Reg<F32> squared = b.fmul(b.approximate(UnaryOperation.LG2, u), Immediate.f32((float) (-2 * Math.log(2))));
        Reg<F32> radius = b.approximate(UnaryOperation.SQRT, b.fmax(squared, Immediate.f32(0)));
        Reg<F32> angle = b.fmul(b.toFloat(b.shr(high, 8)), Immediate.f32((float) (2 * Math.PI * 0x1p-24)));
        return List.of(
                b.fmul(radius, b.approximate(UnaryOperation.COS, angle)),
                b.fmul(radius, b.approximate(UnaryOperation.SIN, angle)));
    }

    private static Reg<F32> integer(CodeBuilder b, Reg<B32> bits) {
        return b.toFloatSigned(b.sub(b.mulHi(bits, 9), 4));
    }

    private static void store(
            CodeBuilder b, DataType element, Reg<B64> base, Reg<B64> elements, Reg<B64> i, List<Reg<F32>> pair) {
        GlobalAddress at = GlobalAddress.of(b.mad(i, 2L * element.bytes(), base));
        b.ifThenElse(
                b.lt(b.add(b.shl(i, 1), 1), elements),
                both -> {
                    switch (element) {
                        case BF16 -> both.st32(at, both.bf16x2(pair.getFirst(), pair.getLast()));
                        case F32 -> both.stVector(ScalarType.F32, at, pair);
                        case F16 -> both.st32(at, halves(both, pair));
                        case E4M3 ->
                            both.st(ScalarType.B16, at, both.fp8Pair(Element.E4M3, pair.getFirst(), pair.getLast()));
                        case E5M2 ->
                            both.st(ScalarType.B16, at, both.fp8Pair(Element.E5M2, pair.getFirst(), pair.getLast()));
                    }
                },
                last -> {
                    switch (element) {
                        case BF16 -> last.st(ScalarType.B16, at, last.bf16Of(pair.getFirst()));
                        case F32 -> last.stF32(at, pair.getFirst());
                        case F16 -> last.st(ScalarType.B16, at, last.narrow16(halves(last, pair)));
                        case E4M3 ->
                            last.st(ScalarType.U8, at, last.fp8Pair(Element.E4M3, pair.getFirst(), pair.getLast()));
                        case E5M2 ->
                            last.st(ScalarType.U8, at, last.fp8Pair(Element.E5M2, pair.getFirst(), pair.getLast()));
                    }
                });
    }

    private static Reg<B32> halves(CodeBuilder b, List<Reg<F32>> pair) {
        Reg<B32> halves = b.b32();
        b.cvtPair(ScalarType.F16X2, halves, pair.getFirst(), pair.getLast());
        return halves;
    }

    /** The integer that INTEGERS puts at {@code index}: the same on the CPU. */
    public static int integerAt(long seed, long index) {
        long z = seed + ((index >> 1) + 1) * GOLDEN;
        z = (z ^ z >>> 30) * MIX_1;
        z = (z ^ z >>> 27) * MIX_2;
        z ^= z >>> 31;
        long half = (index & 1) == 0 ? z & 0xFFFFFFFFL : z >>> 32;
        return (int) (half * 9 >>> 32) - 4;
    }
}
