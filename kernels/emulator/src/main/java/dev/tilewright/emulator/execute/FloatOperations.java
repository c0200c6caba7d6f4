package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.number.Exact;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.type.Rounding;

/**
 * Arithmetic of f32 and f64 as bits. A NaN that is computed is 0x7fffffff in f32 and 0xfff8000000000000 in f64. PTX
 * 9.7.3.
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

    /** f32 to nearest, without options: what most kernels compute. */
    static Lanes.Binary nearest32(FloatMath.Operation operation) {
        return switch (operation) {
            case ADD -> (a, b) -> bits(toFloat(a) + toFloat(b));
            case SUB -> (a, b) -> bits(toFloat(a) - toFloat(b));
            case MUL -> (a, b) -> bits(toFloat(a) * toFloat(b));
            case DIV -> (a, b) -> bits(toFloat(a) / toFloat(b));
            case MIN -> (a, b) -> bits((float) minimum(toFloat(a), toFloat(b)));
            case MAX -> (a, b) -> bits((float) maximum(toFloat(a), toFloat(b)));
        };
    }

    /** The operation on floats of up to 24 bits, for one rounding later. */
    static double exact(FloatMath.Operation operation, double a, double b, Rounding rounding) {
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

    static Lanes.Binary binary64(FloatMath.Operation operation, Rounding rounding) {
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
}
