package dev.tilewright.emulator.execute;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Random;

/**
 * Binary floats by their definition: an exact number, divided by the unit of its last place, rounded to an integer.
 *
 * @param exponent bits
 * @param mantissa bits without the hidden one
 */
record Reference(int exponent, int mantissa) {
    static final Reference F16 = new Reference(5, 10);
    static final Reference BF16 = new Reference(8, 7);
    static final Reference F32 = new Reference(8, 23);
    static final Reference F64 = new Reference(11, 52);
    /** Bits of quotients and roots; what is cut off shows as {@link Exact#more}. */
    private static final int DIGITS = 400;

    /**
     * {@code whole * 2^scale}, or with {@code more} a little further from 0.
     *
     * @param whole with its sign
     */
    record Exact(BigInteger whole, int scale, boolean more) {
        Exact plus(Exact other) {
            int least = Math.min(scale, other.scale);
            return new Exact(
                    whole.shiftLeft(scale - least).add(other.whole.shiftLeft(other.scale - least)), least, false);
        }

        Exact times(Exact other) {
            return new Exact(whole.multiply(other.whole), scale + other.scale, false);
        }

        Exact negated() {
            return new Exact(whole.negate(), scale, more);
        }

        Exact by(Exact other) {
            BigInteger[] parts = whole.shiftLeft(DIGITS).divideAndRemainder(other.whole);
            return new Exact(parts[0], scale - DIGITS - other.scale, parts[1].signum() != 0);
        }

        Exact root() {
            int up = DIGITS + (scale - DIGITS & 1);
            BigInteger[] parts = whole.shiftLeft(up).sqrtAndRemainder();
            return new Exact(parts[0], (scale - up) / 2, parts[1].signum() != 0);
        }
    }

    static final Exact ONE = new Exact(BigInteger.ONE, 0, false);

    int bits() {
        return 1 + exponent + mantissa;
    }

    /** Exponent of 1, the middle of all. */
    int bias() {
        return (1 << exponent - 1) - 1;
    }

    private long infinity() {
        return (1L << exponent) - 1 << mantissa;
    }

    private long sign(boolean negative) {
        return negative ? 1L << exponent + mantissa : 0;
    }

    Exact value(long bits) {
        long field = bits >>> mantissa & (1L << exponent) - 1;
        long fraction = bits & (1L << mantissa) - 1;
        long whole = field == 0 ? fraction : fraction | 1L << mantissa;
        boolean negative = (bits >>> exponent + mantissa & 1) != 0;
        return new Exact(
                BigInteger.valueOf(negative ? -whole : whole), (int) Math.max(field, 1) - bias() - mantissa, false);
    }

    /** The bits of a number that is not 0. */
    long round(Exact number, RoundingMode mode) {
        boolean negative = number.whole.signum() < 0;
        BigInteger magnitude = number.whole.abs();
        int top = Math.max(number.scale + magnitude.bitLength() - 1, 1 - bias());
        int shift = top - mantissa - number.scale;
        BigInteger units = magnitude.shiftLeft(-shift);
        BigInteger rest = magnitude.subtract(units.shiftLeft(shift));
        int half = shift <= 0 ? -1 : rest.compareTo(BigInteger.ONE.shiftLeft(shift - 1));
        boolean something = rest.signum() != 0 || number.more;
        int quarters = !something ? 0 : half < 0 ? 1 : half == 0 && !number.more ? 2 : 3;
        BigDecimal fourths = new BigDecimal(units.shiftLeft(2).add(BigInteger.valueOf(quarters)));
        BigDecimal signed = negative ? fourths.negate() : fourths;
        long rounded =
                signed.divide(BigDecimal.valueOf(4)).setScale(0, mode).abs().longValueExact();
        // Below the smallest normal there is no hidden bit and no exponent; a carry goes up into the exponent.
        long bits = rounded + ((long) (top + bias() - 1) << mantissa);
        if (top <= bias() && bits < infinity()) {
            return sign(negative) | bits;
        }
        boolean toward = mode == RoundingMode.DOWN
                || (mode == RoundingMode.FLOOR && !negative)
                || (mode == RoundingMode.CEILING && negative);
        return sign(negative) | (toward ? infinity() - 1 : infinity());
    }

    /** Finite values: of any exponent, or around one so that sums cancel and round, and the ends of the range. */
    long random(Random random) {
        long fraction = random.nextLong() & (1L << mantissa) - 1;
        if (random.nextInt(4) == 0) {
            fraction &= -1L << mantissa - 3;
        }
        long most = (1L << exponent) - 2;
        long field = switch (random.nextInt(6)) {
            case 0 -> random.nextLong(most + 1);
            case 1 -> random.nextLong(2);
            case 2 -> most - random.nextLong(2);
            default -> Math.clamp(bias() + random.nextLong(-mantissa - 2, mantissa + 3), 0, most);
        };
        return sign(random.nextBoolean()) | field << mantissa | fraction;
    }
}
