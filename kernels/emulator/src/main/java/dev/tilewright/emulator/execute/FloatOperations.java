package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.number.Exact;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.ptx.instruction.Arithmetic.FloatBinary;
import dev.tilewright.ptx.instruction.Arithmetic.FloatOperation;
import dev.tilewright.ptx.instruction.Arithmetic.FloatUnaryOperation;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/**
 * f32 and f64 without options; the rest is in {@link FloatMathOperations}. A NaN that is computed is 0x7fffffff in f32
 * and 0xfff8000000000000 in f64. PTX 9.7.3.
 */
final class FloatOperations {
    private static final long NAN64 = 0xFFF8000000000000L;

    private FloatOperations() {}

    static float toFloat(long bits) {
        return Float.intBitsToFloat((int) bits);
    }

    static long bits(float value) {
        return Float.isNaN(value) ? 0x7FFFFFFFL : Float.floatToRawIntBits(value) & 0xFFFFFFFFL;
    }

    static double toDouble(long bits) {
        return Double.longBitsToDouble(bits);
    }

    static long bits(double value) {
        return Double.isNaN(value) ? NAN64 : Double.doubleToRawLongBits(value);
    }

    static Lanes.Binary binary(FloatBinary i) {
        boolean nearest =
                i.rounding() == Rounding.NONE || i.rounding() == Rounding.RN || i.rounding() == Rounding.APPROX;
        if (i.type() == ScalarType.F64) {
            return binary64(i.operation(), i.rounding());
        }
        return nearest ? nearest32(i.operation()) : directed32(i.operation(), i.rounding());
    }

    private static Lanes.Binary nearest32(FloatOperation operation) {
        return switch (operation) {
            case ADD -> (a, b) -> bits(toFloat(a) + toFloat(b));
            case SUB -> (a, b) -> bits(toFloat(a) - toFloat(b));
            case MUL -> (a, b) -> bits(toFloat(a) * toFloat(b));
            case DIV -> (a, b) -> bits(toFloat(a) / toFloat(b));
            case MIN -> (a, b) -> bits((float) minimum(toFloat(a), toFloat(b)));
            case MAX -> (a, b) -> bits((float) maximum(toFloat(a), toFloat(b)));
        };
    }

    private static Lanes.Binary directed32(FloatOperation operation, Rounding rounding) {
        return (a, b) -> FloatFormat.F32.round(exact(operation, toFloat(a), toFloat(b), rounding), rounding);
    }

    /** The operation on floats of up to 24 bits, for one rounding later. */
    static double exact(FloatOperation operation, double a, double b, Rounding rounding) {
        return switch (operation) {
            case ADD -> Exact.sum(a, b, rounding);
            case SUB -> Exact.sum(a, -b, rounding);
            case MUL -> a * b;
            case DIV -> Exact.quotient(a, b);
            case MIN -> minimum(a, b);
            case MAX -> maximum(a, b);
        };
    }

    /** The other operand if one is NaN; -0 is less than +0. */
    static double minimum(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
    }

    static double maximum(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    static Lanes.Binary binary64(FloatOperation operation, Rounding rounding) {
        Rounding r = rounding == Rounding.NONE ? Rounding.RN : rounding;
        return switch (operation) {
            case ADD -> (a, b) -> bits(Exact.sum64(toDouble(a), toDouble(b), r));
            case SUB -> (a, b) -> bits(Exact.sum64(toDouble(a), -toDouble(b), r));
            case MUL -> (a, b) -> bits(Exact.product64(toDouble(a), toDouble(b), r));
            case DIV -> (a, b) -> bits(Exact.quotient64(toDouble(a), toDouble(b), r));
            case MIN -> (a, b) -> bits(minimum(toDouble(a), toDouble(b)));
            case MAX -> (a, b) -> bits(maximum(toDouble(a), toDouble(b)));
        };
    }

    static Lanes.Ternary fma(Rounding rounding, ScalarType type) {
        if (type == ScalarType.F64) {
            return (a, b, c) -> bits(Exact.multiplyAdd64(toDouble(a), toDouble(b), toDouble(c), rounding));
        }
        return rounding == Rounding.RN
                ? (a, b, c) -> bits(Math.fma(toFloat(a), toFloat(b), toFloat(c)))
                : (a, b, c) -> FloatFormat.F32.round(
                        Exact.multiplyAdd(toFloat(a), toFloat(b), toFloat(c), rounding), rounding);
    }

    static Lanes.Unary unary(FloatUnaryOperation operation, ScalarType type) {
        if (type == ScalarType.F64) {
            return switch (operation) {
                case NEG -> a -> a ^ Long.MIN_VALUE;
                case ABS -> a -> a & Long.MAX_VALUE;
                case SQRT_RN -> a -> bits(Math.sqrt(toDouble(a)));
                case RCP_RN -> a -> bits(1 / toDouble(a));
                case SQRT_APPROX, RSQRT_APPROX, RCP_APPROX, LG2_APPROX, EX2_APPROX, SIN_APPROX, COS_APPROX ->
                    throw new IllegalArgumentException(operation.ptx() + " is of f32 alone");
            };
        }
        return switch (operation) {
            case NEG -> a -> a ^ 0x80000000L;
            case ABS -> a -> a & 0x7FFFFFFFL;
            case SQRT_RN, SQRT_APPROX -> a -> bits((float) Math.sqrt(toFloat(a)));
            case RSQRT_APPROX -> a -> bits((float) Approximations.inverseRoot(toFloat(a)));
            case RCP_RN, RCP_APPROX -> a -> bits(1 / toFloat(a));
            case LG2_APPROX -> a -> bits((float) Approximations.logarithm(toFloat(a)));
            case EX2_APPROX -> a -> bits((float) Approximations.power(toFloat(a)));
            case SIN_APPROX -> a -> bits((float) Math.sin(toFloat(a)));
            case COS_APPROX -> a -> bits((float) Math.cos(toFloat(a)));
        };
    }
}
