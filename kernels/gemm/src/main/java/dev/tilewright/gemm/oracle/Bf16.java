package dev.tilewright.gemm.oracle;

/** bfloat16 on the CPU: the upper half of an IEEE float. */
public final class Bf16 {
    /** A NaN that no arithmetic here produces; D is filled with it before a trial. */
    public static final short POISON = 0x7FFF;

    private Bf16() {}

    /** Exact. */
    public static float toFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** Rounded to nearest, ties to even, as {@code cvt.rn.bf16.f32} does; NaN becomes the canonical 0x7FFF. */
    public static short ofFloat(float value) {
        if (Float.isNaN(value)) {
            return 0x7FFF;
        }
        int bits = Float.floatToRawIntBits(value);
        int roundUp = 0x7FFF + ((bits >>> 16) & 1);
        return (short) ((bits + roundUp) >>> 16);
    }
}
