package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.number.Exact;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** cvt and cvta. PTX 9.7.9.20, 9.7.9.21. */
public final class ConvertOperations {
    private ConvertOperations() {}

    public static Operation decode(Convert instruction, Operands operands) {
        return switch (instruction) {
            case Convert.Cvt i ->
                Lanes.unary(operands.target(i.d()), operands.value(i.a()), convert(i.rounding(), i.to(), i.from()));
            case Convert.Pair i -> {
                boolean half = i.to() == ScalarType.F16X2;
                Rounding rounding = i.rounding();
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.high()),
                        operands.value(i.low()),
                        (high, low) -> narrow(FloatOperations.toFloat(high), half, rounding) << 16
                                | narrow(FloatOperations.toFloat(low), half, rounding));
            }
            case Convert.ToGeneric i -> {
                long window = window(i.space());
                yield Lanes.unary(operands.target(i.d()), operands.value(i.a()), a -> a + window);
            }
            case Convert.FromGeneric i -> {
                long window = window(i.space());
                yield Lanes.unary(operands.target(i.d()), operands.value(i.a()), a -> a - window);
            }
        };
    }

    /** Generic address of the first byte of a space. */
    static long window(StateSpace space) {
        return switch (space) {
            case GLOBAL -> 0;
            case SHARED, SHARED_CLUSTER -> AddressSpace.SHARED;
            case PARAM -> AddressSpace.PARAMETERS;
            case LOCAL -> AddressSpace.LOCAL;
            case CONST -> AddressSpace.CONSTANTS;
            case GENERIC -> throw new NotEmulatedException("cvta of " + space);
        };
    }

    static Lanes.Unary convert(Rounding rounding, ScalarType to, ScalarType from) {
        if (!from.isFloat() && !to.isFloat()) {
            return a -> extend(to, extend(from, a));
        }
        if (!from.isFloat()) {
            return a -> fromInteger(rounding, to, from, a);
        }
        if (!to.isFloat()) {
            return a -> toInteger(rounding, to, from, widen(from, a));
        }
        return from == to
                ? a -> fromDouble(rounding, to, integral(rounding, widen(from, a)))
                : a -> fromDouble(rounding, to, widen(from, a));
    }

    /** The value of a float of any type, exact in f64. */
    static double widen(ScalarType type, long bits) {
        return switch (type) {
            case F16 -> Float.float16ToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat((int) bits << 16);
            case F32 -> FloatOperations.toFloat(bits);
            case F64 -> FloatOperations.toDouble(bits);
            case PRED, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F16X2, BF16X2 ->
                throw new IllegalArgumentException("no float: " + type);
        };
    }

    /** Rounded once. */
    private static long fromDouble(Rounding rounding, ScalarType to, double value) {
        return to == ScalarType.F64
                ? FloatOperations.bits(value)
                : FloatFormat.of(to).round(value, rounding);
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

    static double integral(Rounding rounding, double value) {
        return switch (rounding) {
            case RNI -> Math.rint(value);
            case RZI -> value < 0 ? Math.ceil(value) : Math.floor(value);
            case RMI -> Math.floor(value);
            case RPI -> Math.ceil(value);
            case NONE, RN, RZ, RM, RP, APPROX -> value;
        };
    }

    /** Clamped to the type; NaN becomes 0, or where f64 or 64 bits are involved the top bit alone. */
    static long toInteger(Rounding rounding, ScalarType to, ScalarType from, double value) {
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

    static long fromInteger(Rounding rounding, ScalarType to, ScalarType from, long bits) {
        long value = extend(from, bits);
        return to == ScalarType.F64
                ? FloatOperations.bits(Exact.integer64(value, from.isSigned(), rounding))
                : FloatFormat.of(to).round(Exact.integer(value, from.isSigned()), rounding);
    }
}
