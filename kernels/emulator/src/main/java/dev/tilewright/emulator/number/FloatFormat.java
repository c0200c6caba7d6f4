package dev.tilewright.emulator.number;

import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/**
 * A binary float of up to 32 bits. Values are computed in float64, exactly or {@link Exact rounded to odd}, and rounded
 * here once, as if they had never been rounded before.
 */
public enum FloatFormat {
    F32(8, 23, 0x7FFFFFFFL),
    F16(5, 10, 0x7FFFL),
    BF16(8, 7, 0x7FFFL),
    /** f32 with the mantissa of f16, in the upper bits of 19. */
    TF32(8, 10, 0x3FFFFL),
    /** Has no infinity: all ones are NaN, the value below is the largest. */
    E4M3(4, 3, 0x7FL),
    E5M2(5, 2, 0x7FL);

    private final int mantissa;
    private final int smallest;
    private final long infinity;
    private final long signBit;
    private final long nan;

    FloatFormat(int exponent, int mantissa, long nan) {
        this.mantissa = mantissa;
        this.nan = nan;
        smallest = 2 - (1 << exponent - 1);
        infinity = (1L << exponent) - 1 << mantissa;
        signBit = 1L << exponent + mantissa;
    }

    /** The format of a scalar type of 16 or 32 bits, or of the halves of a pair. */
    public static FloatFormat of(ScalarType type) {
        return switch (type) {
            case F32 -> F32;
            case F16, F16X2 -> F16;
            case BF16, BF16X2 -> BF16;
            case F64, F32X2, PRED, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64 ->
                throw new IllegalArgumentException("no float of up to 32 bits: " + type);
        };
    }

    public long nan() {
        return nan;
    }

    /** The value of these bits, exact. */
    public double widen(long bits) {
        long magnitude = bits & signBit - 1;
        boolean isNaN = this == E4M3 ? magnitude == nan : magnitude > infinity;
        double value;
        if (isNaN) {
            return Double.NaN;
        } else if (this != E4M3 && magnitude == infinity) {
            value = Double.POSITIVE_INFINITY;
        } else if (magnitude >>> mantissa == 0) {
            value = Math.scalb((double) magnitude, smallest - mantissa);
        } else {
            long fraction = magnitude & (1L << mantissa) - 1 | 1L << mantissa;
            value = Math.scalb((double) fraction, (int) (magnitude >>> mantissa) - 1 + smallest - mantissa);
        }
        return isNegative(bits) ? -value : value;
    }

    /** The bits of a value, rounded once. */
    public long round(double value, Rounding rounding) {
        return round(value, rounding, false);
    }

    /** As above, but to the nearest with ties away from zero. */
    public long roundAway(double value) {
        return round(value, Rounding.RN, true);
    }

    private long round(double value, Rounding rounding, boolean tiesAway) {
        if (Double.isNaN(value)) {
            return nan;
        }
        boolean negative = Double.doubleToRawLongBits(value) < 0;
        long sign = negative ? signBit : 0;
        if (value == 0) {
            return sign;
        }
        if (Double.isInfinite(value)) {
            return sign | infinity;
        }
        int exponent = Math.getExponent(value);
        long whole = Double.doubleToRawLongBits(value) & (1L << 52) - 1;
        if (exponent >= Double.MIN_EXPONENT) {
            whole |= 1L << 52;
        } else {
            exponent = Double.MIN_EXPONENT;
        }
        int unit = Math.max(exponent, smallest) - mantissa;
        // Beyond 62 bits nothing but "there is something" is left.
        int shift = Math.min(62, unit - (exponent - 52));
        long kept = whole >>> shift;
        long rest = whole & (1L << shift) - 1;
        long half = 1L << shift - 1;
        boolean up = switch (rounding) {
            case RM -> negative && rest != 0;
            case RP -> !negative && rest != 0;
            case RZ -> false;
            case NONE, RN, APPROX, FULL, RNI, RZI, RMI, RPI ->
                rest > half || (rest == half && (tiesAway || (kept & 1) != 0));
        };
        long magnitude = ((long) (unit + mantissa - smallest) << mantissa) + kept + (up ? 1 : 0);
        if (magnitude < infinity || (this == E4M3 && magnitude < nan)) {
            return sign | magnitude;
        }
        boolean toward = rounding == Rounding.RZ || rounding == (negative ? Rounding.RP : Rounding.RM);
        return sign | (toward || this == E4M3 ? largest() : infinity);
    }

    /** The largest finite magnitude. */
    private long largest() {
        return this == E4M3 ? nan - 1 : infinity - 1;
    }

    /** Infinities become the largest finite value of the same sign. */
    public long finite(long bits) {
        return (bits & signBit - 1) == infinity && this != E4M3 ? bits & signBit | largest() : bits;
    }

    /** Subnormal values become zero of the same sign. */
    public long flush(long bits) {
        return (bits & infinity) == 0 ? bits & signBit : bits;
    }

    /** Clamped to 0..1; NaN becomes 0. */
    public long saturate(long bits) {
        double value = widen(bits);
        return value > 0 ? round(Math.min(value, 1), Rounding.RN) : 0;
    }

    /** Negative values become 0; NaN the canonical one. */
    public long relu(long bits) {
        double value = widen(bits);
        return Double.isNaN(value) ? nan : value > 0 ? bits : 0;
    }

    public long negate(long bits) {
        return bits ^ signBit;
    }

    public boolean isNegative(long bits) {
        return (bits & signBit) != 0;
    }

    public long magnitude(long bits) {
        return bits & signBit - 1;
    }
}
