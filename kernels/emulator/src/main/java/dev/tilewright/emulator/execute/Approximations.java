package dev.tilewright.emulator.execute;

/**
 * Functions that PTX leaves to the hardware within bounds of error. Here they are computed in float64 within 2 of its
 * ulps and then rounded to nearest: within half an ulp of the result's type, but for the rare tie, and so closer than
 * the hardware. Kernels must not rely on their last bits.
 */
final class Approximations {
    private static final double LN2 = Math.log(2);

    private Approximations() {}

    /** {@code 1 / sqrt(a)}; of -0 it is negative infinity. */
    static double inverseRoot(double a) {
        return 1 / Math.sqrt(a);
    }

    /** Base-2 logarithm; exact for powers of two. */
    static double logarithm(double a) {
        int exponent = Math.getExponent(a);
        boolean normal = a > 0 && exponent >= Double.MIN_EXPONENT && exponent <= Double.MAX_EXPONENT;
        if (!normal) {
            return Math.log(a) / LN2;
        }
        // Near 1 from below the sum would cancel.
        double fraction = Math.scalb(a, -exponent);
        return fraction > 1.5 ? exponent + 1 + Math.log(fraction / 2) / LN2 : exponent + Math.log(fraction) / LN2;
    }

    /** 2 to the power of a. */
    static double power(double a) {
        return Math.pow(2, a);
    }
}
