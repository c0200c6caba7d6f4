package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.number.Exact;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Convert.Narrow;
import dev.tilewright.ptx.instruction.Convert.Options;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/** cvt, cvta and isspacep. PTX 9.7.9.19 to 9.7.9.22. */
public final class ConvertOperations {
    private static final long NAN_OF_TF32 = 0x7FFFFFFFL;
    private static final int TF32_SHIFT = 13;
    private static final long WORD = 0xFFFFFFFFL;

    private ConvertOperations() {}

    public static Operation decode(Convert instruction, Operands operands) {
        return switch (instruction) {
            case Convert.Cvt i ->
                Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        convert(i.rounding(), i.options(), i.to(), i.from()));
            case Convert.Pair i -> {
                FloatFormat format = FloatFormat.of(i.to());
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.high()),
                        operands.value(i.low()),
                        (high, low) -> half(format, i, high) << 16 | half(format, i, low));
            }
            case Convert.ToTf32 i ->
                Lanes.unary(operands.target(i.d()), operands.value(i.a()), a -> tf32(i, FloatOperations.toFloat(a)));
            case Convert.ToFp8 i -> {
                FloatFormat format = format(i.to());
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.high()),
                        operands.value(i.low()),
                        (high, low) -> eight(format, i.relu(), FloatOperations.toFloat(high)) << 8
                                | eight(format, i.relu(), FloatOperations.toFloat(low)));
            }
            case Convert.HalvesToFp8 i -> {
                FloatFormat format = format(i.to());
                yield Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        a -> eight(format, i.relu(), FloatFormat.F16.widen(a >>> 16)) << 8
                                | eight(format, i.relu(), FloatFormat.F16.widen(a)));
            }
            case Convert.Fp8ToHalves i -> {
                FloatFormat format = format(i.from());
                yield Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        a -> half(format, i.relu(), a >>> 8) << 16 | half(format, i.relu(), a));
            }
            case Convert.SaturateAndPack i -> {
                SourceOperand rest = i.c().isPresent() ? operands.value(i.c().get()) : SourceOperand.constant(0);
                int bits = i.to().bits();
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        rest,
                        (a, b, c) ->
                                (c << 2 * bits | saturate(i.to(), (int) a) << bits | saturate(i.to(), (int) b)) & WORD);
            }
            case Convert.ToGeneric i -> {
                long window = AddressOperations.window(i.space());
                yield Lanes.unary(operands.target(i.d()), operands.value(i.a()), a -> a + window);
            }
            case Convert.FromGeneric i -> {
                long window = AddressOperations.window(i.space());
                yield Lanes.unary(operands.target(i.d()), operands.value(i.a()), a -> a - window);
            }
            case Convert.GenericAddressOf i ->
                AddressOperations.address(i.symbol(), i.space(), i.offset(), true, i.d(), operands);
            case Convert.IsInSpace i -> {
                SourceOperand a = operands.value(i.a());
                yield Lanes.predicate(
                        operands.predicate(i.d()),
                        (warp, lane) -> AddressOperations.isIn(i.space(), warp, a.get(warp, lane)));
            }
        };
    }

    private static Lanes.Unary convert(Rounding rounding, Options options, ScalarType to, ScalarType from) {
        boolean flushed = options.flushToZero() && from == ScalarType.F32;
        if (!from.isFloat()) {
            if (!to.isFloat()) {
                return options.saturate() ? a -> clamp(to, from, extend(from, a)) : a -> extend(to, extend(from, a));
            }
            return a -> finish(options, to, fromInteger(rounding, to, from, a));
        }
        if (!to.isFloat()) {
            return a -> toInteger(rounding, to, from, widen(from, flushed, a));
        }
        boolean whole = from == to;
        return a -> {
            double value = widen(from, flushed, a);
            double rounded = whole ? integral(rounding, value) : value;
            return finish(
                    options,
                    to,
                    to == ScalarType.F64
                            ? FloatOperations.bits(rounded)
                            : FloatFormat.of(to).round(rounded, rounding));
        };
    }

    private static double widen(ScalarType from, boolean flushed, long bits) {
        return widen(from, flushed ? FloatFormat.F32.flush(bits) : bits);
    }

    private static long finish(Options options, ScalarType to, long bits) {
        if (to == ScalarType.F64) {
            double value = FloatOperations.toDouble(bits);
            return options.saturate() ? FloatOperations.bits(value > 0 ? Math.min(value, 1) : 0.0) : bits;
        }
        FloatFormat format = FloatFormat.of(to);
        long result = options.flushToZero() && to == ScalarType.F32 ? format.flush(bits) : bits;
        result = options.finite() ? format.finite(result) : result;
        result = options.relu() ? format.relu(result) : result;
        return options.saturate() ? format.saturate(result) : result;
    }

    /** An integer in the range of another type. */
    private static long clamp(ScalarType to, ScalarType from, long value) {
        boolean large = !from.isSigned() && value < 0;
        int bits = to.bits();
        if (to.isSigned()) {
            long most = bits == 64 ? Long.MAX_VALUE : (1L << bits - 1) - 1;
            return large ? most : Math.clamp(value, -most - 1, most);
        }
        if (from.isSigned() && value < 0) {
            return 0;
        }
        long most = bits == 64 ? -1 : (1L << bits) - 1;
        return Long.compareUnsigned(value, most) > 0 ? most : value;
    }

    /** One half of a pair. */
    private static long half(FloatFormat format, Convert.Pair i, long value) {
        long bits = narrow(FloatOperations.toFloat(value), i.to() == ScalarType.F16X2, i.rounding());
        bits = i.options().finite() ? format.finite(bits) : bits;
        return i.options().relu() ? format.relu(bits) : bits;
    }

    private static long tf32(Convert.ToTf32 i, float value) {
        if (Float.isNaN(value)) {
            return NAN_OF_TF32;
        }
        FloatFormat format = FloatFormat.TF32;
        long bits = switch (i.rounding()) {
            case RNA -> format.roundAway(value);
            case RN -> format.round(value, Rounding.RN);
            case RZ -> format.round(value, Rounding.RZ);
        };
        bits = i.finite() ? format.finite(bits) : bits;
        return (i.relu() ? format.relu(bits) : bits) << TF32_SHIFT;
    }

    private static FloatFormat format(Element type) {
        return switch (type) {
            case E4M3 -> FloatFormat.E4M3;
            case E5M2 -> FloatFormat.E5M2;
            case F16, BF16, TF32, S8, U8, F32, F64, S32 ->
                throw new IllegalArgumentException("no pair of 8-bit floats has elements of type ." + type.ptx());
        };
    }

    private static long eight(FloatFormat format, boolean relu, double value) {
        double finite = Double.isInfinite(value) ? Math.copySign(Float.MAX_VALUE, value) : value;
        long bits = format.finite(format.round(finite, Rounding.RN));
        return relu ? format.relu(bits) : bits;
    }

    private static long half(FloatFormat format, boolean relu, long bits) {
        long half = FloatFormat.F16.round(format.widen(bits), Rounding.RN);
        return relu ? FloatFormat.F16.relu(half) : half;
    }

    /** The bits of an s32 in a narrow type. */
    private static long saturate(Narrow to, int value) {
        boolean signed = to.ptx().startsWith("s");
        long low = signed ? -(1L << to.bits() - 1) : 0;
        long high = (1L << to.bits() - (signed ? 1 : 0)) - 1;
        return Math.clamp(value, low, high) & (1L << to.bits()) - 1;
    }

    /** The value of a float of any type, exact in f64. */
    static double widen(ScalarType type, long bits) {
        return switch (type) {
            case F16 -> Float.float16ToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat((int) bits << 16);
            case F32 -> FloatOperations.toFloat(bits);
            case F64 -> FloatOperations.toDouble(bits);
            case PRED, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F16X2, BF16X2, F32X2 ->
                throw new IllegalArgumentException("no float: " + type);
        };
    }

    /** bf16 or f16 of a float, as 16 bits. */
    static long narrow(float value, boolean half, Rounding rounding) {
        if (Float.isNaN(value)) {
            return 0x7FFF;
        }
        if (rounding != Rounding.RN && rounding != Rounding.NONE) {
            return (half ? FloatFormat.F16 : FloatFormat.BF16).round(value, rounding);
        }
        if (half) {
            return Float.floatToFloat16(value) & 0xFFFFL;
        }
        int bits = Float.floatToRawIntBits(value);
        return bits + 0x7FFF + (bits >>> 16 & 1) >>> 16 & 0xFFFFL;
    }

    private static double integral(Rounding rounding, double value) {
        return switch (rounding) {
            case RNI -> Math.rint(value);
            case RZI -> value < 0 ? Math.ceil(value) : Math.floor(value);
            case RMI -> Math.floor(value);
            case RPI -> Math.ceil(value);
            case NONE, RN, RZ, RM, RP, APPROX, FULL -> value;
        };
    }

    /** Clamped to the type; NaN becomes 0, or where f64 or 64 bits are involved the top bit alone. */
    private static long toInteger(Rounding rounding, ScalarType to, ScalarType from, double value) {
        double whole = integral(rounding, value);
        int bits = to.bits();
        if (Double.isNaN(whole)) {
            return from == ScalarType.F64 || bits == 64 ? 1L << bits - 1 : 0;
        }
        if (to.isSigned()) {
            long most = bits == 64 ? Long.MAX_VALUE : (1L << bits - 1) - 1;
            return Math.max(-most - 1, Math.min(most, (long) whole));
        }
        if (whole <= 0) {
            return 0;
        }
        if (whole >= Math.scalb(1.0, bits)) {
            return bits == 64 ? -1 : (1L << bits) - 1;
        }
        return whole < 0x1p63 ? (long) whole : (long) (whole - 0x1p63) + Long.MIN_VALUE;
    }

    private static long fromInteger(Rounding rounding, ScalarType to, ScalarType from, long bits) {
        long value = extend(from, bits);
        return to == ScalarType.F64
                ? FloatOperations.bits(Exact.integer64(value, from.isSigned(), rounding))
                : FloatFormat.of(to).round(Exact.integer(value, from.isSigned()), rounding);
    }
}
