package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.Decoder;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operation;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** cvt and cvta. PTX 9.7.9.20, 9.7.9.21. */
public final class ConvertOperations {
    private ConvertOperations() {}

    public static Operation decode(Convert instruction, Decoder decoder) {
        return switch (instruction) {
            case Convert.Cvt i ->
                Lanes.unary(decoder.target(i.d()), decoder.value(i.a()), convert(i.rounding(), i.to(), i.from()));
            case Convert.Pair i -> {
                boolean half = i.to() == ScalarType.F16X2;
                Rounding rounding = i.rounding();
                yield Lanes.binary(
                        decoder.target(i.d()),
                        decoder.value(i.high()),
                        decoder.value(i.low()),
                        (high, low) -> narrow(FloatOperations.toFloat(high), half, rounding) << 16
                                | narrow(FloatOperations.toFloat(low), half, rounding));
            }
            case Convert.ToGeneric i -> {
                long window = window(i.space());
                yield Lanes.unary(decoder.target(i.d()), decoder.value(i.a()), a -> a + window);
            }
            case Convert.FromGeneric i -> {
                long window = window(i.space());
                yield Lanes.unary(decoder.target(i.d()), decoder.value(i.a()), a -> a - window);
            }
        };
    }

    private static long window(StateSpace space) {
        return switch (space) {
            case GLOBAL -> 0;
            case SHARED, SHARED_CLUSTER -> AddressSpace.SHARED;
            case PARAM -> AddressSpace.PARAMETERS;
            case GENERIC, LOCAL, CONST -> throw new NotEmulatedException("cvta of " + space);
        };
    }

    private static Lanes.Unary convert(Rounding rounding, ScalarType to, ScalarType from) {
        if (!from.isFloat() && !to.isFloat()) {
            return a -> extend(to, extend(from, a));
        }
        if (!from.isFloat()) {
            return a -> fromInteger(rounding, to, from, a);
        }
        if (!to.isFloat()) {
            return a -> toInteger(rounding, to, widen(from, a));
        }
        return a -> fromDouble(rounding, to, from == to ? integral(rounding, widen(from, a)) : widen(from, a));
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

    private static long fromDouble(Rounding rounding, ScalarType to, double value) {
        return switch (to) {
            case F16 -> narrow(exactly(value, rounding), true, rounding);
            case BF16 -> narrow(exactly(value, rounding), false, rounding);
            case F32 -> FloatOperations.bits(FloatOperations.narrow(value, 0, rounding));
            case F64 -> FloatOperations.bits(value);
            case PRED, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F16X2, BF16X2 ->
                throw new IllegalArgumentException("no float: " + to);
        };
    }

    /** To f32 on the way to 16 bits: by rounding to odd, so that the second rounding is right. */
    private static float exactly(double value, Rounding rounding) {
        float nearest = (float) value;
        if (nearest == value || !Double.isFinite(value)) {
            return nearest;
        }
        float truncated = FloatOperations.narrow(value, 0, Rounding.RZ);
        return Float.intBitsToFloat(Float.floatToRawIntBits(truncated) | 1);
    }

    /** bf16 or f16 of a float, as 16 bits. */
    static long narrow(float value, boolean half, Rounding rounding) {
        if (Float.isNaN(value)) {
            return 0x7FFF;
        }
        boolean nearest = rounding == Rounding.RN || rounding == Rounding.NONE;
        if (!nearest && rounding != Rounding.RZ) {
            throw new NotEmulatedException("16-bit floats rounded " + rounding);
        }
        if (half) {
            short bits = Float.floatToFloat16(value);
            if (!nearest && Math.abs(Float.float16ToFloat(bits)) > Math.abs(value)) {
                bits--;
            }
            return bits & 0xFFFFL;
        }
        int bits = Float.floatToRawIntBits(value);
        return nearest ? bits + 0x7FFF + (bits >>> 16 & 1) >>> 16 & 0xFFFFL : bits >>> 16;
    }

    private static double integral(Rounding rounding, double value) {
        return switch (rounding) {
            case RNI -> Math.rint(value);
            case RZI -> value < 0 ? Math.ceil(value) : Math.floor(value);
            case RMI -> Math.floor(value);
            case RPI -> Math.ceil(value);
            case NONE, RN, RZ, RM, RP, APPROX -> value;
        };
    }

    /** Clamped to the type; NaN becomes 0. */
    private static long toInteger(Rounding rounding, ScalarType to, double value) {
        double whole = integral(rounding, value);
        if (Double.isNaN(whole)) {
            return 0;
        }
        int bits = to.bits();
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
        boolean large = !from.isSigned() && value < 0;
        if (to == ScalarType.F32 && rounding == Rounding.RN) {
            return FloatOperations.bits(large ? 2f * (float) (value >>> 1 | value & 1) : (float) value);
        }
        double wide = large ? 2.0 * (double) (value >>> 1 | value & 1) : (double) value;
        return fromDouble(rounding, to, wide);
    }
}
