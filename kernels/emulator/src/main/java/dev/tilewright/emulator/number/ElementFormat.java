package dev.tilewright.emulator.number;

import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Rounding;

/**
 * Reads the bits of matrix elements and accumulators as numbers. Every element of a matrix is exact in f32, so a
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
            case E4M3 -> (float) FloatFormat.E4M3.widen(bits & 0xFF);
            case E5M2 -> (float) FloatFormat.E5M2.widen(bits & 0xFF);
            case S8 -> (byte) bits;
            case U8 -> bits & 0xFF;
            case S32, F64 -> throw new IllegalArgumentException("no matrix has elements of type ." + type.ptx());
        };
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
            case F32 -> Double.isNaN(sum) ? (int) FloatFormat.F32.nan() : Float.floatToRawIntBits((float) sum);
            case F16 -> (int) FloatFormat.F16.round(sum, Rounding.RN);
            case S32 -> saturate ? Math.clamp((long) sum, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) (long) sum;
            case BF16, TF32, E4M3, E5M2, S8, U8, F64 ->
                throw new IllegalArgumentException("no accumulator is of type ." + type.ptx());
        };
    }
}
