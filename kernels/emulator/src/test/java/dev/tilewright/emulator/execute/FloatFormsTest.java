package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options, special values and approximations of floating point; the manual's tables, bit by bit. */
class FloatFormsTest {
    private static final long ONE = bits(1);
    private static final long NAN = 0x7FC00001L;
    private static final long CANONICAL = 0x7FFFFFFFL;
    private static final long TINY = 0x00000001L;
    private static final long MINUS_TINY = 0x807FFFFFL;
    private static final long ZERO = 0;
    private static final long MINUS_ZERO = 0x80000000L;
    private static final long INFINITY = 0x7F800000L;

    private static long bits(float value) {
        return Float.floatToRawIntBits(value) & 0xFFFFFFFFL;
    }

    private static long f32(String operation, long... operands) {
        StringBuilder text = new StringBuilder(operation + " %f4");
        for (int i = 1; i <= operands.length; i++) {
            text.append(", %f").append(i);
        }
        return OneInstruction.of(text + ";", "%f4", operands);
    }

    private static long pair(long high, long low) {
        return high << 16 | low;
    }

    private static long f16(float value) {
        return Float.floatToFloat16(value) & 0xFFFFL;
    }

    private static long bf16(float value) {
        return bits(value) >>> 16;
    }

    @Test
    void flushing() {
        assertThat(f32("add.f32", TINY, ZERO)).isEqualTo(TINY);
        assertThat(f32("add.ftz.f32", MINUS_TINY, MINUS_ZERO)).isEqualTo(MINUS_ZERO);
        assertThat(f32("mul.ftz.f32", bits(0x1p-100f), bits(-0x1p-30f))).isEqualTo(MINUS_ZERO);
        assertThat(f32("fma.rn.ftz.f32", TINY, bits(0x1p127f), bits(3))).isEqualTo(bits(3));
        assertThat(f32("neg.ftz.f32", MINUS_TINY)).isEqualTo(ZERO);
        assertThat(f32("sqrt.rn.ftz.f32", MINUS_TINY)).isEqualTo(MINUS_ZERO);
        assertThat(f32("rcp.rn.ftz.f32", TINY)).isEqualTo(INFINITY);
        assertThat(f32("max.ftz.f32", TINY, MINUS_TINY)).isEqualTo(ZERO);
        assertThat(OneInstruction.of("add.ftz.f16 %h4, %h1, %h2;", "%h4", 0x3FF, 0x8001))
                .isZero();
        assertThat(OneInstruction.of("setp.eq.ftz.f32 %p4|%p5, %f1, %f2;", "%p4", TINY, ZERO))
                .isOne();
        assertThat(OneInstruction.of("set.ne.ftz.u32.f32 %r4, %f1, %f2;", "%r4", TINY, MINUS_TINY))
                .isZero();
        assertThat(OneInstruction.of("slct.ftz.u32.f32 %r4, 7, 8, %f1;", "%r4", MINUS_TINY))
                .isEqualTo(7);
        assertThat(OneInstruction.of("slct.u32.f32 %r4, 7, 8, %f1;", "%r4", MINUS_TINY))
                .isEqualTo(8);
        assertThat(OneInstruction.of("slct.u32.f32 %r4, 7, 8, %f1;", "%r4", NAN))
                .isEqualTo(8);
    }

    @Test
    void saturating() {
        assertThat(f32("add.sat.f32", bits(0.75f), bits(0.75f))).isEqualTo(ONE);
        assertThat(f32("sub.sat.f32", bits(0.25f), bits(0.75f))).isEqualTo(ZERO);
        assertThat(f32("mul.sat.f32", NAN, ONE)).isEqualTo(ZERO);
        assertThat(f32("fma.rp.sat.f32", bits(0.5f), bits(0.5f), TINY)).isEqualTo(bits(Math.nextUp(0.25f)));
        assertThat(OneInstruction.of(
                        "fma.rn.sat.f16x2 %r4, %r1, %r2, %r3;", "%r4", pair(f16(2), f16(-1)), pair(f16(3), f16(1)), 0))
                .isEqualTo(pair(f16(1), 0));
        assertThat(OneInstruction.of(
                        "fma.rn.relu.bf16x2 %r4, %r1, %r2, %r3;",
                        "%r4", pair(bf16(-2), 0x7FC1), pair(bf16(3), bf16(1)), pair(bf16(1), 0)))
                .isEqualTo(pair(0, 0x7FFF));
    }

    @Test
    void notANumber() {
        assertThat(f32("add.f32", NAN, ONE)).isEqualTo(CANONICAL);
        assertThat(f32("mul.f32", ZERO, INFINITY)).isEqualTo(CANONICAL);
        assertThat(f32("min.f32", NAN, ONE)).isEqualTo(ONE);
        assertThat(f32("min.f32", NAN, NAN)).isEqualTo(CANONICAL);
        assertThat(f32("max.NaN.f32", NAN, ONE)).isEqualTo(CANONICAL);
        assertThat(OneInstruction.of("max.NaN.f16x2 %r4, %r1, %r2;", "%r4", pair(0x7E00, f16(1)), pair(f16(1), f16(2))))
                .isEqualTo(pair(0x7FFF, f16(2)));
        assertThat(OneInstruction.of("mul.bf16 %h4, %h1, %h2;", "%h4", 0x7F80, 0))
                .isEqualTo(0x7FFF);
    }

    @Test
    void extremes() {
        assertThat(f32("max.f32", MINUS_ZERO, ZERO)).isEqualTo(ZERO);
        assertThat(f32("min.f32", ZERO, MINUS_ZERO)).isEqualTo(MINUS_ZERO);
        assertThat(f32("min.xorsign.abs.f32", bits(-3), bits(2))).isEqualTo(bits(-2));
        assertThat(f32("max.xorsign.abs.f32", bits(-3), bits(-2))).isEqualTo(bits(3));
        assertThat(f32("max.NaN.xorsign.abs.f32", bits(-3), NAN)).isEqualTo(CANONICAL);
        assertThat(OneInstruction.of(
                        "min.xorsign.abs.bf16x2 %r4, %r1, %r2;",
                        "%r4", pair(bf16(-3), bf16(4)), pair(bf16(2), bf16(5))))
                .isEqualTo(pair(bf16(-2), bf16(4)));
    }

    @Test
    void signs() {
        assertThat(f32("copysign.f32", bits(-1), bits(7))).isEqualTo(bits(-7));
        assertThat(OneInstruction.of("neg.f16x2 %r4, %r1;", "%r4", pair(f16(1), f16(-2))))
                .isEqualTo(pair(f16(-1), f16(2)));
        assertThat(OneInstruction.of("abs.bf16 %h4, %h1;", "%h4", bf16(-2))).isEqualTo(bf16(2));
        assertThat(OneInstruction.of(
                        "copysign.f64 %d4, %d1, %d2;",
                        "%d4", Double.doubleToRawLongBits(-0.0), Double.doubleToRawLongBits(5)))
                .isEqualTo(Double.doubleToRawLongBits(-5));
        // A zero that is no sum of equal zeros is negative where rounding goes down.
        assertThat(f32("add.rm.f32", ONE, bits(-1))).isEqualTo(MINUS_ZERO);
        assertThat(f32("add.rm.f32", ZERO, ZERO)).isEqualTo(ZERO);
        assertThat(f32("fma.rm.f32", ONE, ONE, bits(-1))).isEqualTo(MINUS_ZERO);
        assertThat(f32("fma.rp.f32", ONE, ONE, bits(-1))).isEqualTo(ZERO);
        assertThat(OneInstruction.of("sub.rm.f64 %d4, %d1, %d1;", "%d4", Double.doubleToRawLongBits(3)))
                .isEqualTo(Double.doubleToRawLongBits(-0.0));
    }

    @ParameterizedTest
    @CsvSource({
        "finite, 1, 0, 0, 1, 1", "infinite, 0, 1, 0, 0, 0", "number, 1, 1, 0, 1, 1",
        "notanumber, 0, 0, 1, 0, 0", "normal, 1, 0, 0, 0, 1", "subnormal, 0, 0, 0, 1, 0"
    })
    void properties(String property, int one, int infinite, int nan, int tiny, int zero) {
        long[] values = {ONE, INFINITY, NAN, TINY, ZERO};
        long[] wide = new long[5];
        double[] same = {1, Double.NEGATIVE_INFINITY, Double.NaN, -Double.MIN_VALUE, -0.0};
        for (int i = 0; i < 5; i++) {
            wide[i] = Double.doubleToRawLongBits(same[i]);
        }
        assertThat(OneInstruction.run("testp." + property + ".f32 %p4, %f1;", "%p4", values))
                .containsExactly(one, infinite, nan, tiny, zero);
        assertThat(OneInstruction.run("testp." + property + ".f64 %p4, %d1;", "%p4", wide))
                .containsExactly(one, infinite, nan, tiny, zero);
    }

    @Test
    void comparisonsOfHalves() {
        long a = pair(f16(1), 0x7E00);
        long b = pair(f16(2), f16(1));
        assertThat(OneInstruction.of(
                        "setp.lt.f16x2 %p4|%p5, %r1, %r2; selp.u32 %r4, 1, 0, %p5; @%p4 add.u32 %r4, %r4, 2;",
                        "%r4", a, b))
                .isEqualTo(1);
        assertThat(OneInstruction.of("set.ltu.f16x2.f16x2 %r4, %r1, %r2;", "%r4", a, b))
                .isEqualTo(pair(f16(1), f16(1)));
        assertThat(OneInstruction.of("set.lt.u32.f16x2 %r4, %r1, %r2;", "%r4", a, b))
                .isEqualTo(0xFFFF0000L);
        assertThat(OneInstruction.of("setp.ge.and.bf16 %p4, %h1, %h2, %p3;", "%p4", bf16(3), bf16(3), 1))
                .isOne();
    }

    private static void approximates(
            String operation, DoubleUnaryOperator function, float low, float high, double ulps) {
        Random random = new Random(operation.hashCode());
        long[] values = new long[300];
        for (int i = 0; i < values.length; i++) {
            values[i] = bits(low + (high - low) * random.nextFloat());
        }
        long[] results = OneInstruction.run(operation + " %f4, %f1;", "%f4", values);
        for (int i = 0; i < values.length; i++) {
            double exact = function.applyAsDouble(Float.intBitsToFloat((int) values[i]));
            assertThat((double) Float.intBitsToFloat((int) results[i]))
                    .as("%s of %s", operation, Float.intBitsToFloat((int) values[i]))
                    .isCloseTo(exact, offset(ulps * Math.ulp((float) exact)));
        }
    }

    @Test
    void approximations() {
        approximates("sqrt.approx.f32", Math::sqrt, 0, 1e6f, 0.5001);
        approximates("rsqrt.approx.ftz.f32", x -> 1 / Math.sqrt(x), 1e-6f, 1e6f, 0.5001);
        approximates("rcp.approx.ftz.f32", x -> 1 / x, 0.1f, 1e6f, 0.5001);
        approximates("ex2.approx.f32", x -> Math.exp(x * Math.log(2)), -20, 20, 0.51);
        approximates("lg2.approx.ftz.f32", x -> Math.log(x) / Math.log(2), 1.1f, 1e6f, 0.51);
        approximates("sin.approx.f32", Math::sin, -6, 6, 0.51);
        approximates("cos.approx.ftz.f32", Math::cos, -6, 6, 0.51);
        approximates("tanh.approx.f32", Math::tanh, -4, 4, 0.51);
        assertThat(f32("lg2.approx.f32", MINUS_ZERO)).isEqualTo(bits(Float.NEGATIVE_INFINITY));
        assertThat(f32("lg2.approx.f32", bits(0x1p-140f))).isEqualTo(bits(-140));
        assertThat(f32("ex2.approx.ftz.f32", bits(-140))).isEqualTo(ZERO);
        assertThat(f32("rsqrt.approx.f32", MINUS_ZERO)).isEqualTo(bits(Float.NEGATIVE_INFINITY));
        assertThat(f32("sin.approx.f32", INFINITY)).isEqualTo(CANONICAL);
        assertThat(f32("tanh.approx.f32", MINUS_TINY)).isEqualTo(MINUS_TINY);
        assertThat(OneInstruction.of("ex2.approx.ftz.bf16x2 %r4, %r1;", "%r4", pair(bf16(3), bf16(-1))))
                .isEqualTo(pair(bf16(8), bf16(0.5f)));
        assertThat(OneInstruction.of("tanh.approx.f16 %h4, %h1;", "%h4", 0x7C00))
                .isEqualTo(f16(1));
        assertThat(f32("div.full.ftz.f32", bits(3), bits(-1.5f))).isEqualTo(bits(-2));
    }

    /** Only the upper halves of an f64 count. */
    @Test
    void grossApproximations() {
        long third = OneInstruction.of("rcp.approx.ftz.f64 %d4, %d1;", "%d4", Double.doubleToRawLongBits(3));
        assertThat(third & 0xFFFFFFFFL).isZero();
        assertThat(Double.longBitsToDouble(third)).isCloseTo(1.0 / 3, offset(1e-6));
        assertThat(OneInstruction.of("rsqrt.approx.ftz.f64 %d4, %d1;", "%d4", Double.doubleToRawLongBits(0.25)))
                .isEqualTo(Double.doubleToRawLongBits(2));
        assertThat(OneInstruction.of("rcp.approx.ftz.f64 %d4, %d1;", "%d4", 1))
                .isEqualTo(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
    }
}
