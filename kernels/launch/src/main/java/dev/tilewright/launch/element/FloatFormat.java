package dev.tilewright.launch.element;

/**
 * A binary floating-point format of up to 32 bits: sign, exponent, mantissa.
 *
 * @param exponent bits of the exponent; its bias is half its range
 * @param mantissa bits behind the point
 * @param shift unused low bits below the mantissa: 13 for tf32 in its 32-bit word
 * @param largest bits of the largest finite value, before the shift
 * @param saturates whether what is too large becomes the largest finite value, as conversions to 8 bits do on a GPU;
 *     otherwise it becomes infinity
 */
record FloatFormat(int exponent, int mantissa, int shift, int largest, boolean saturates) {
    static final FloatFormat F16 = new FloatFormat(5, 10, 0, 0x7BFF, false);
    static final FloatFormat BF16 = new FloatFormat(8, 7, 0, 0x7F7F, false);
    static final FloatFormat TF32 = new FloatFormat(8, 10, 13, 0x3FBFF, false);
    static final FloatFormat F32 = new FloatFormat(8, 23, 0, 0x7F7F_FFFF, false);
    static final FloatFormat E5M2 = new FloatFormat(5, 2, 0, 0x7B, true);
    /** Has no infinity; its exponent of all ones holds finite values and, with a mantissa of all ones, NaN. */
    static final FloatFormat E4M3 = new FloatFormat(4, 3, 0, 0x7E, true);

    private int lowestExponent() {
        return 2 - (1 << (exponent - 1));
    }

    private long sign() {
        return 1L << (exponent + mantissa);
    }

    /** All bits but the sign: a NaN in every format. */
    long nan() {
        return (sign() - 1) << shift;
    }

    /** The nearest value, ties to even. */
    long encode(double value) {
        if (Double.isNaN(value)) {
            return nan();
        }
        long sign = Double.doubleToRawLongBits(value) < 0 ? sign() : 0;
        double magnitude = Math.abs(value);
        long bits = Double.isInfinite(magnitude) ? sign() - 1 : round(magnitude);
        if (bits > largest) {
            bits = saturates ? largest : (1L << exponent) - 1 << mantissa;
        }
        return (sign | bits) << shift;
    }

    /** Rounds to the nearest value. A mantissa that overflows carries into the exponent. */
    private long round(double magnitude) {
        int exponentOf = Math.max(Math.getExponent(magnitude), lowestExponent());
        if (exponentOf >= 1 << exponent) {
            return sign() - 1;
        }
        long scaled = (long) Math.rint(Math.scalb(magnitude, mantissa - exponentOf));
        return scaled + ((long) (exponentOf - lowestExponent()) << mantissa);
    }

    double decode(long raw) {
        long bits = raw >>> shift;
        long magnitude = bits & (sign() - 1);
        double value;
        if (magnitude > largest) {
            boolean infinite = magnitude == ((1L << exponent) - 1 << mantissa);
            value = infinite ? Double.POSITIVE_INFINITY : Double.NaN;
        } else {
            long field = magnitude >>> mantissa;
            long fraction = magnitude & ((1L << mantissa) - 1);
            long scaled = field == 0 ? fraction : fraction + (1L << mantissa);
            value = Math.scalb((double) scaled, (int) Math.max(field, 1) - 1 + lowestExponent() - mantissa);
        }
        return (bits & sign()) != 0 ? -value : value;
    }

    /** Half a unit in the last place, relative to the value. */
    double halfUnit() {
        return Math.scalb(1.0, -mantissa - 1);
    }

    /** The smallest positive value. */
    double smallest() {
        return Math.scalb(1.0, lowestExponent() - mantissa);
    }
}
