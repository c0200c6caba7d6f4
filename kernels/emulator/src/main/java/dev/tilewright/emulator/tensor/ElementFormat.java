package dev.tilewright.emulator.tensor;

import dev.tilewright.ptx.instruction.MatrixMultiply.Element;

/**
 * What the bits of matrix elements and accumulators say, as numbers. Every element of a matrix is exact in f32, so a
 * product of two is exact in f64.
 */
public final class ElementFormat {
    /** A tensor core ignores the bits of an f32 that a tf32 has not. */
    private static final int TF32_MASK = 0xFFFFE000;

    private ElementFormat() {}

    /** The element in the low bits. */
    public static float decode(Element type, int bits) {
        return switch (type) {
            case F16 -> Float.float16ToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat(bits << 16);
            case TF32 -> Float.intBitsToFloat(bits & TF32_MASK);
            case F32 -> Float.intBitsToFloat(bits);
            case E4M3 -> e4m3(bits & 0xFF);
            // An e5m2 is the upper half of an f16.
            case E5M2 -> Float.float16ToFloat((short) (bits << 8));
            case S8 -> (byte) bits;
            case U8 -> bits & 0xFF;
            case S32, F64 -> throw new IllegalArgumentException("no matrix has elements of type ." + type.ptx());
        };
    }

    /** One sign, four bits of exponent with bias 7, three of mantissa; no infinity, all ones are NaN. */
    private static float e4m3(int bits) {
        int exponent = bits >> 3 & 15;
        int mantissa = bits & 7;
        if (exponent == 15 && mantissa == 7) {
            return Float.NaN;
        }
        float magnitude =
                exponent == 0 ? Math.scalb((float) mantissa, -9) : Math.scalb((float) (8 + mantissa), exponent - 10);
        return bits >= 0x80 ? -magnitude : magnitude;
    }

    /** The accumulator in a word, f16 in its low half. */
    public static double accumulator(Element type, int bits) {
        return switch (type) {
            case F32 -> Float.intBitsToFloat(bits);
            case F16 -> Float.float16ToFloat((short) bits);
            case S32 -> bits;
            case BF16, TF32, E4M3, E5M2, S8, U8, F64 ->
                throw new IllegalArgumentException("no accumulator is of type ." + type.ptx());
        };
    }

    /**
     * The bits of an accumulator: a sum rounded once.
     *
     * @param saturate whether an s32 is clamped rather than wrapped
     */
    public static int encode(Element type, boolean saturate, double sum) {
        return switch (type) {
            case F32 -> Float.floatToRawIntBits((float) sum);
            case F16 -> Float.floatToFloat16(toOdd(sum)) & 0xFFFF;
            case S32 -> saturate ? Math.clamp((long) sum, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) (long) sum;
            case BF16, TF32, E4M3, E5M2, S8, U8, F64 ->
                throw new IllegalArgumentException("no accumulator is of type ." + type.ptx());
        };
    }

    /** An f32 that rounds to any narrower format as the number itself does: of two neighbours the odd one. */
    private static float toOdd(double number) {
        float nearest = (float) number;
        if (nearest == number || Double.isNaN(number)) {
            return nearest;
        }
        float inner = Math.abs((double) nearest) > Math.abs(number) ? Math.nextAfter(nearest, 0) : nearest;
        return Float.intBitsToFloat(Float.floatToRawIntBits(inner) | 1);
    }
}
