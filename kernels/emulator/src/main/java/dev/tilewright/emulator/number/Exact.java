package dev.tilewright.emulator.number;

import dev.tilewright.ptx.type.Rounding;
import java.math.BigDecimal;

/**
 * Arithmetic as if with infinite precision. For results of up to 32 bits: in float64 <i>rounded to odd</i>, where the
 * last bit says whether something was lost, so that rounding again to at most 24 bits rounds the exact value. For
 * float64 itself: rounded in a direction, by the sign of what the nearest value is off.
 */
public final class Exact {
    private Exact() {}

    // ---- rounded to odd -----------------------------------------------------------------------------------------

    /** {@code a + b}; a zero that is no sum of zeros of one sign has the sign that the rounding asks for. */
    public static double sum(double a, double b, Rounding rounding) {
        double sum = a + b;
        if (!Double.isFinite(sum)) {
            return sum;
        }
        if (sum == 0) {
            boolean positive = isPositiveZero(a) && isPositiveZero(b);
            return rounding == Rounding.RM && !positive ? -0.0 : sum;
        }
        double bigger = sum - a;
        double rest = (a - (sum - bigger)) + (b - bigger);
        return odd(sum, rest);
    }

    /** {@code a * b + c} of floats of up to 24 bits, whose product float64 holds. */
    public static double multiplyAdd(double a, double b, double c, Rounding rounding) {
        return sum(a * b, c, rounding);
    }

    /** {@code a / b} of floats of up to 24 bits. */
    public static double quotient(double a, double b) {
        double quotient = a / b;
        if (!Double.isFinite(quotient) || quotient == 0 || Double.isInfinite(b)) {
            return quotient;
        }
        double rest = Math.fma(-quotient, b, a);
        return odd(quotient, b < 0 ? -rest : rest);
    }

    /** The square root of a float of up to 24 bits. */
    public static double root(double a) {
        double root = Math.sqrt(a);
        return Double.isFinite(root) && root != 0 ? odd(root, Math.fma(-root, root, a)) : root;
    }

    /** An integer; unsigned if it must be. */
    public static double integer(long value, boolean signed) {
        if (!signed && value < 0) {
            return 2 * integer(value >>> 1 | value & 1, true);
        }
        double nearest = (double) value;
        // 2^63 is no long; the difference is right all the same.
        long rest = nearest == 0x1p63 ? value - Long.MAX_VALUE - 1 : value - (long) nearest;
        return odd(nearest, rest);
    }

    /** Of the two values around {@code value + rest} the odd one, unless the rest is 0. */
    private static double odd(double value, double rest) {
        if (rest == 0 || (Double.doubleToRawLongBits(value) & 1) != 0) {
            return value;
        }
        return rest > 0 ? Math.nextUp(value) : Math.nextDown(value);
    }

    private static boolean isPositiveZero(double value) {
        return Double.doubleToRawLongBits(value) == 0;
    }

    // ---- float64 rounded in a direction -------------------------------------------------------------------------

    public static double sum64(double a, double b, Rounding rounding) {
        double nearest = a + b;
        if (nearest == 0) {
            return sum(a, b, rounding);
        }
        return settle(nearest, rounding, a, b, () -> exact(a).add(exact(b)));
    }

    public static double product64(double a, double b, Rounding rounding) {
        return settle(a * b, rounding, a, b, () -> exact(a).multiply(exact(b)));
    }

    public static double multiplyAdd64(double a, double b, double c, Rounding rounding) {
        double nearest = Math.fma(a, b, c);
        if (rounding == Rounding.RN || !Double.isFinite(a) || !Double.isFinite(b) || !Double.isFinite(c)) {
            return nearest;
        }
        BigDecimal value = exact(a).multiply(exact(b)).add(exact(c));
        if (value.signum() == 0) {
            return sum(a * b, c, rounding);
        }
        return toward(nearest, off(value, nearest), rounding);
    }

    public static double quotient64(double a, double b, Rounding rounding) {
        double nearest = a / b;
        if (rounding == Rounding.RN || a == 0 || b == 0 || !Double.isFinite(a) || !Double.isFinite(b)) {
            return nearest;
        }
        if (Double.isInfinite(nearest)) {
            return toward(nearest, nearest > 0 ? -1 : 1, rounding);
        }
        int sign = exact(a).compareTo(exact(nearest).multiply(exact(b)));
        return toward(nearest, b < 0 ? -sign : sign, rounding);
    }

    public static double root64(double a, Rounding rounding) {
        double nearest = Math.sqrt(a);
        if (rounding == Rounding.RN || !Double.isFinite(nearest) || nearest == 0) {
            return nearest;
        }
        return toward(nearest, exact(a).compareTo(exact(nearest).pow(2)), rounding);
    }

    /** An integer as float64. */
    public static double integer64(long value, boolean signed, Rounding rounding) {
        BigDecimal number = signed ? BigDecimal.valueOf(value) : new BigDecimal(Long.toUnsignedString(value));
        double nearest = number.doubleValue();
        return toward(nearest, off(number, nearest), rounding);
    }

    @FunctionalInterface
    private interface Value {
        BigDecimal of();
    }

    private static double settle(double nearest, Rounding rounding, double a, double b, Value exact) {
        boolean asIs = rounding == Rounding.RN || rounding == Rounding.NONE;
        if (asIs || !Double.isFinite(a) || !Double.isFinite(b) || a == 0 || b == 0) {
            return nearest;
        }
        return toward(nearest, off(exact.of(), nearest), rounding);
    }

    private static BigDecimal exact(double value) {
        return new BigDecimal(value);
    }

    /** The sign of what is missing from the nearest value. */
    private static int off(BigDecimal value, double nearest) {
        return Double.isInfinite(nearest) ? (nearest > 0 ? -1 : 1) : value.compareTo(exact(nearest));
    }

    /** The nearest value moved to the side that the rounding asks for. */
    private static double toward(double nearest, int off, Rounding rounding) {
        boolean down = rounding == Rounding.RM || (rounding == Rounding.RZ && nearest > 0);
        boolean up = rounding == Rounding.RP || (rounding == Rounding.RZ && nearest < 0);
        return off < 0 && down ? Math.nextDown(nearest) : off > 0 && up ? Math.nextUp(nearest) : nearest;
    }
}
