package dev.tilewright.emulator.execute;

import dev.tilewright.ptx.instruction.Arithmetic.FloatBinary;
import dev.tilewright.ptx.instruction.Arithmetic.FloatUnaryOperation;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import java.math.BigDecimal;

/** f32 and f64. Approximations are computed in float64 and rounded: closer than the hardware's. PTX 9.7.3. */
final class FloatOperations {
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
        return Double.doubleToRawLongBits(value);
    }

    static Lanes.Binary binary(FloatBinary i) {
        return i.type() == ScalarType.F64 ? binary64(i) : binary32(i);
    }

    /** Sums and products of two floats are exact, or rounded once too often harmlessly, in float64. */
    private static Lanes.Binary binary32(FloatBinary i) {
        Rounding rounding = i.rounding();
        if (rounding == Rounding.NONE || rounding == Rounding.RN || rounding == Rounding.APPROX) {
            return switch (i.operation()) {
                case ADD -> (a, b) -> bits(toFloat(a) + toFloat(b));
                case SUB -> (a, b) -> bits(toFloat(a) - toFloat(b));
                case MUL -> (a, b) -> bits(toFloat(a) * toFloat(b));
                case DIV -> (a, b) -> bits(toFloat(a) / toFloat(b));
                case MIN -> (a, b) -> bits(minimum(toFloat(a), toFloat(b)));
                case MAX -> (a, b) -> bits(-minimum(-toFloat(a), -toFloat(b)));
            };
        }
        return switch (i.operation()) {
            case ADD -> (a, b) -> bits(sum(toFloat(a), toFloat(b), rounding));
            case SUB -> (a, b) -> bits(sum(toFloat(a), -toFloat(b), rounding));
            case MUL -> (a, b) -> bits(narrow((double) toFloat(a) * toFloat(b), 0, rounding));
            case DIV -> (a, b) -> bits(quotient(toFloat(a), toFloat(b), rounding));
            case MIN, MAX -> throw new IllegalArgumentException("min and max do not round");
        };
    }

    /** The other operand if one is NaN; -0 is less than +0. */
    private static float minimum(float a, float b) {
        return Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b);
    }

    private static double minimum(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
    }

    private static float sum(float a, float b, Rounding rounding) {
        double x = a;
        double sum = x + b;
        double rest = sum - x;
        return narrow(sum, (x - (sum - rest)) + (b - rest), rounding);
    }

    private static float quotient(float a, float b, Rounding rounding) {
        double q = (double) a / b;
        double rest = Double.isFinite(q) && b != 0 ? Math.fma(-q, b, a) : 0;
        return narrow(q, b < 0 ? -rest : rest, rounding);
    }

    /** {@code value + rest} as a float, rounded in one direction; only the sign of the small rest counts. */
    static float narrow(double value, double rest, Rounding rounding) {
        float nearest = (float) value;
        if (!Double.isFinite(value)) {
            return nearest;
        }
        double error = (double) nearest - value;
        int above = error > 0 || (error == 0 && rest < 0) ? 1 : error < 0 || rest > 0 ? -1 : 0;
        return switch (rounding) {
            case RM -> above > 0 ? Math.nextDown(nearest) : nearest;
            case RP -> above < 0 ? Math.nextUp(nearest) : nearest;
            case RZ -> {
                boolean negative = value < 0;
                boolean away = negative ? above < 0 : above > 0;
                yield away ? (negative ? Math.nextUp(nearest) : Math.nextDown(nearest)) : nearest;
            }
            case NONE, RN, APPROX, RNI, RZI, RMI, RPI -> nearest;
        };
    }

    private static Lanes.Binary binary64(FloatBinary i) {
        if (i.rounding() != Rounding.NONE && i.rounding() != Rounding.RN) {
            throw new IllegalArgumentException(
                    "f64 " + i.operation().ptx() + i.rounding().ptx() + " is not emulated");
        }
        return switch (i.operation()) {
            case ADD -> (a, b) -> bits(toDouble(a) + toDouble(b));
            case SUB -> (a, b) -> bits(toDouble(a) - toDouble(b));
            case MUL -> (a, b) -> bits(toDouble(a) * toDouble(b));
            case DIV -> (a, b) -> bits(toDouble(a) / toDouble(b));
            case MIN -> (a, b) -> bits(minimum(toDouble(a), toDouble(b)));
            case MAX -> (a, b) -> bits(-minimum(-toDouble(a), -toDouble(b)));
        };
    }

    static Lanes.Ternary fma(Rounding rounding, ScalarType type) {
        if (type == ScalarType.F64) {
            return (a, b, c) -> bits(Math.fma(toDouble(a), toDouble(b), toDouble(c)));
        }
        return rounding == Rounding.RN
                ? (a, b, c) -> bits(Math.fma(toFloat(a), toFloat(b), toFloat(c)))
                : (a, b, c) -> bits(directed(toFloat(a), toFloat(b), toFloat(c), rounding));
    }

    private static float directed(float a, float b, float c, Rounding rounding) {
        float nearest = Math.fma(a, b, c);
        if (!Float.isFinite(nearest)) {
            return nearest;
        }
        BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
        int above = new BigDecimal(nearest).compareTo(exact);
        return narrow(nearest, -above * (double) Float.MIN_VALUE, rounding);
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
            case RSQRT_APPROX -> a -> bits((float) (1 / Math.sqrt(toFloat(a))));
            case RCP_RN, RCP_APPROX -> a -> bits(1 / toFloat(a));
            case LG2_APPROX -> a -> bits((float) (Math.log(toFloat(a)) / Math.log(2)));
            case EX2_APPROX -> a -> bits((float) Math.pow(2, toFloat(a)));
            case SIN_APPROX -> a -> bits((float) Math.sin(toFloat(a)));
            case COS_APPROX -> a -> bits((float) Math.cos(toFloat(a)));
        };
    }
}
