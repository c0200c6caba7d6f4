package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** cvt between all types, in every rounding, against exact numbers. */
class ConversionTest {
    private static final int CASES = 300;
    private static final Map<String, RoundingMode> MODES = Map.of(
            "rn",
            RoundingMode.HALF_EVEN,
            "rz",
            RoundingMode.DOWN,
            "rm",
            RoundingMode.FLOOR,
            "rp",
            RoundingMode.CEILING);
    private static final Map<String, Reference> FLOATS =
            Map.of("f16", Reference.F16, "bf16", Reference.BF16, "f32", Reference.F32, "f64", Reference.F64);
    private static final Map<String, String> REGISTERS =
            Map.of("f16", "%h", "bf16", "%h", "f32", "%f", "f64", "%d", "u8", "%r", "s8", "%r");

    private static String register(String type) {
        return REGISTERS.getOrDefault(
                type,
                switch (type.substring(1)) {
                    case "16" -> "%h";
                    case "32" -> "%r";
                    default -> "%rd";
                });
    }

    private static int bits(String type) {
        return Integer.parseInt(type.substring(1));
    }

    private static BigInteger integer(String type, long bits) {
        BigInteger low = new BigInteger(Long.toUnsignedString(bits)).mod(BigInteger.TWO.pow(bits(type)));
        return type.startsWith("s") && low.testBit(bits(type) - 1) ? low.subtract(BigInteger.TWO.pow(bits(type))) : low;
    }

    private static BigInteger clamp(String type, BigInteger value) {
        BigInteger most =
                BigInteger.TWO.pow(bits(type) - (type.startsWith("s") ? 1 : 0)).subtract(BigInteger.ONE);
        BigInteger least = type.startsWith("s") ? most.negate().subtract(BigInteger.ONE) : BigInteger.ZERO;
        return value.max(least).min(most);
    }

    private static long mask(String register, long value) {
        return switch (register) {
            case "%h" -> value & 0xFFFF;
            case "%r" -> value & 0xFFFFFFFFL;
            default -> value;
        };
    }

    private static long[] longs(int seed) {
        Random random = new Random(seed);
        long[] values = new long[CASES];
        for (int i = 0; i < CASES; i++) {
            values[i] = random.nextLong() >> random.nextInt(64);
        }
        return values;
    }

    private static BigDecimal decimal(Reference.Exact value) {
        BigDecimal whole = new BigDecimal(value.whole());
        return value.scale() >= 0
                ? whole.multiply(BigDecimal.TWO.pow(value.scale()))
                : whole.divide(BigDecimal.TWO.pow(-value.scale()));
    }

    private static Stream<Arguments> pairs(Stream<String> left, String... right) {
        return left.flatMap(a -> Stream.of(right).map(b -> Arguments.of(a, b)));
    }

    static Stream<Arguments> integersToFloats() {
        return pairs(Stream.of("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"), "f16", "bf16", "f32", "f64");
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("integersToFloats")
    void integerToFloat(String from, String to) {
        long[] a = longs(from.hashCode());
        for (String mode : MODES.keySet()) {
            String text = "cvt." + mode + "." + to + "." + from + " " + register(to) + "4, " + register(from) + "1;";
            long[] results = OneInstruction.run(text, register(to) + "4", a);
            for (int i = 0; i < CASES; i++) {
                BigInteger value = integer(from, a[i]);
                long expected = value.signum() == 0
                        ? 0
                        : FLOATS.get(to).round(new Reference.Exact(value, 0, false), MODES.get(mode));
                assertThat(results[i]).as("%s of %s", text, value).isEqualTo(expected);
            }
        }
    }

    static Stream<Arguments> floatsToIntegers() {
        return pairs(Stream.of("f16", "bf16", "f32", "f64"), "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64");
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("floatsToIntegers")
    void floatToInteger(String from, String to) {
        Reference format = FLOATS.get(from);
        Random random = new Random(from.hashCode() + to.hashCode());
        long[] a = new long[CASES];
        for (int i = 0; i < CASES; i++) {
            a[i] = format.random(random);
        }
        for (String mode : MODES.keySet()) {
            String text = "cvt." + mode + "i." + to + "." + from + " " + register(to) + "4, " + register(from) + "1;";
            long[] results = OneInstruction.run(text, register(to) + "4", a);
            for (int i = 0; i < CASES; i++) {
                BigDecimal value = decimal(format.value(a[i]));
                BigInteger whole = clamp(to, value.setScale(0, MODES.get(mode)).toBigInteger());
                assertThat(results[i]).as("%s of %s", text, value).isEqualTo(mask(register(to), whole.longValue()));
            }
        }
        long nan = Map.of("f16", 0x7E00L, "bf16", 0x7FC0L, "f32", 0x7FC00000L, "f64", 0x7FF8000000000000L)
                .get(from);
        boolean top = from.equals("f64") || to.endsWith("64");
        long expected = top ? mask(register(to), 1L << bits(to) - 1) : 0;
        String text = "cvt.rzi." + to + "." + from + " " + register(to) + "4, " + register(from) + "1;";
        assertThat(OneInstruction.of(text, register(to) + "4", nan)).isEqualTo(expected);
    }

    static Stream<Arguments> narrower() {
        return Stream.of(
                Arguments.of("f64", "f32"),
                Arguments.of("f64", "f16"),
                Arguments.of("f64", "bf16"),
                Arguments.of("f32", "f16"),
                Arguments.of("f32", "bf16"));
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("narrower")
    void floatToNarrower(String from, String to) {
        Reference format = FLOATS.get(from);
        Random random = new Random(from.hashCode() - to.hashCode());
        long[] a = new long[CASES];
        for (int i = 0; i < CASES; i++) {
            // Around the middle of the narrower type: its own values, and ties between them.
            long bits = FLOATS.get(to).random(random);
            Reference.Exact near = FLOATS.get(to)
                    .value(bits)
                    .times(new Reference.Exact(
                            BigInteger.valueOf(random.nextInt(3) == 0 ? 4096 + random.nextInt(4096) : 4097),
                            -12,
                            false));
            a[i] = near.whole().signum() == 0 ? 0 : format.round(near, RoundingMode.DOWN);
        }
        for (String mode : MODES.keySet()) {
            if (to.equals("bf16") && !mode.equals("rn") && !mode.equals("rz")) {
                continue;
            }
            String text = "cvt." + mode + "." + to + "." + from + " " + register(to) + "4, " + register(from) + "1;";
            long[] results = OneInstruction.run(text, register(to) + "4", a);
            for (int i = 0; i < CASES; i++) {
                Reference.Exact value = format.value(a[i]);
                long expected = value.whole().signum() == 0 ? 0 : FLOATS.get(to).round(value, MODES.get(mode));
                assertThat(Long.toHexString(results[i]))
                        .as("%s of %x", text, a[i])
                        .isEqualTo(Long.toHexString(expected));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"s32.u16", "u8.s32", "s8.s64", "u16.s32", "s32.u64", "u32.s64", "s64.u64", "u64.s32"})
    void saturatingIntegers(String types) {
        String to = types.substring(0, types.indexOf('.'));
        String from = types.substring(types.indexOf('.') + 1);
        long[] a = longs(types.hashCode());
        long[] results = OneInstruction.run(
                "cvt.sat." + types + " " + register(to) + "4, " + register(from) + "1;", register(to) + "4", a);
        for (int i = 0; i < CASES; i++) {
            assertThat(results[i])
                    .isEqualTo(mask(register(to), clamp(to, integer(from, a[i])).longValue()));
        }
    }

    private static long f32(float value) {
        return Float.floatToRawIntBits(value) & 0xFFFFFFFFL;
    }

    @Test
    void optionsOfFloats() {
        assertThat(OneInstruction.of("cvt.ftz.f32.f16 %f4, %h1;", "%f4", 0x0001))
                .isEqualTo(f32(0x1p-24f));
        assertThat(OneInstruction.of("cvt.rn.ftz.f32.f64 %f4, %d1;", "%f4", Double.doubleToRawLongBits(-0x1p-130)))
                .isEqualTo(f32(-0f));
        assertThat(OneInstruction.of("cvt.rpi.ftz.s32.f32 %r4, %f1;", "%r4", 1)).isZero();
        assertThat(OneInstruction.of("cvt.rpi.s32.f32 %r4, %f1;", "%r4", 1)).isOne();
        assertThat(OneInstruction.of("cvt.sat.f32.f32 %f4, %f1;", "%f4", f32(1.5f)))
                .isEqualTo(f32(1));
        assertThat(OneInstruction.of("cvt.rn.sat.f32.s32 %f4, %r1;", "%f4", -5)).isEqualTo(f32(0));
        assertThat(OneInstruction.of("cvt.rni.f32.f32 %f4, %f1;", "%f4", f32(-2.5f)))
                .isEqualTo(f32(-2));
        assertThat(OneInstruction.of("cvt.rmi.ftz.f32.f32 %f4, %f1;", "%f4", f32(-2.5f)))
                .isEqualTo(f32(-3));
        assertThat(OneInstruction.of("cvt.rpi.f64.f64 %d4, %d1;", "%d4", Double.doubleToRawLongBits(-0.5)))
                .isEqualTo(Double.doubleToRawLongBits(-0.0));
        assertThat(OneInstruction.of("cvt.rn.relu.f16.f32 %h4, %f1;", "%h4", f32(-3)))
                .isZero();
        assertThat(OneInstruction.of("cvt.rn.relu.bf16x2.f32 %r4, %f1, %f2;", "%r4", f32(2), f32(-3)))
                .isEqualTo(0x40000000L);
        assertThat(OneInstruction.of("cvt.rn.satfinite.f16.f32 %h4, %f1;", "%h4", f32(1e9f)))
                .isEqualTo(0x7BFF);
        assertThat(OneInstruction.of("cvt.rn.f16x2.f32 %r4, %f1, %f2;", "%r4", f32(1), f32(2)))
                .isEqualTo(0x3C004000L);
    }

    @Test
    void tf32() {
        assertThat(OneInstruction.of("cvt.rna.tf32.f32 %r4, %f1;", "%r4", 0x3F801000L))
                .isEqualTo(0x3F802000L);
        assertThat(OneInstruction.of("cvt.rn.tf32.f32 %r4, %f1;", "%r4", 0x3F801000L))
                .isEqualTo(0x3F800000L);
        assertThat(OneInstruction.of("cvt.rz.tf32.f32 %r4, %f1;", "%r4", 0xBF803FFFL))
                .isEqualTo(0xBF802000L);
        assertThat(OneInstruction.of("cvt.rna.tf32.f32 %r4, %f1;", "%r4", 0x7FFFFFFFL))
                .isEqualTo(0x7FFFFFFFL);
        assertThat(OneInstruction.of("cvt.rn.relu.tf32.f32 %r4, %f1;", "%r4", 0xBF803FFFL))
                .isZero();
    }

    /** All values of both eight-bit floats, by their definition, up to f16 and back. */
    @ParameterizedTest
    @ValueSource(strings = {"e4m3", "e5m2"})
    void eightBitFloats(String type) {
        boolean small = type.equals("e4m3");
        Reference format = small ? new Reference(4, 3) : new Reference(5, 2);
        long[] all = new long[256];
        for (int i = 0; i < 256; i++) {
            all[i] = i << 8 | 0x38;
        }
        long[] halves = OneInstruction.run("cvt.rn.f16x2." + type + "x2 %r4, %h1;", "%r4", all);
        long[] back = OneInstruction.run("cvt.rn.satfinite." + type + "x2.f16x2 %h4, %r1;", "%h4", halves);
        for (int i = 0; i < 256; i++) {
            int magnitude = i & 0x7F;
            boolean nan = small ? magnitude == 0x7F : magnitude > 0x7C;
            boolean infinite = !small && magnitude == 0x7C;
            long sign = (i & 0x80) << 8;
            Reference.Exact value = format.value(i);
            long half = nan
                    ? 0x7FFF
                    : infinite
                            ? sign | 0x7C00
                            : magnitude == 0 ? sign : Reference.F16.round(value, RoundingMode.UNNECESSARY);
            assertThat(halves[i] >>> 16).as("%s %x", type, i).isEqualTo(half);
            assertThat(back[i] >>> 8).as("%s %x", type, i).isEqualTo(nan ? 0x7F : infinite ? i - 1 : i);
            assertThat(back[i] & 0xFF).isEqualTo(0x38);
        }
    }

    @Test
    void f32ToEightBits() {
        String e4m3 = "cvt.rn.satfinite.e4m3x2.f32 %h4, %f1, %f2;";
        assertThat(OneInstruction.of(e4m3, "%h4", f32(1000), f32(-449))).isEqualTo(0x7EFE);
        assertThat(OneInstruction.of(e4m3, "%h4", f32(Float.NaN), f32(Float.NEGATIVE_INFINITY)))
                .isEqualTo(0x7FFE);
        // A tie between 1 and 1.125 goes to the even one; a little more does not.
        assertThat(OneInstruction.of(e4m3, "%h4", f32(1.0625f), f32(Math.nextUp(1.0625f))))
                .isEqualTo(0x3839);
        assertThat(OneInstruction.of("cvt.rn.satfinite.relu.e5m2x2.f32 %h4, %f1, %f2;", "%h4", f32(-2), f32(1e6f)))
                .isEqualTo(0x007B);
    }
}
