package dev.tilewright.launch.element;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Type of an element of a buffer or of a scalar; written in lower case everywhere outside Java. */
public enum ElementType {
    U8(1, false, null),
    S8(1, true, null),
    U16(2, false, null),
    S16(2, true, null),
    U32(4, false, null),
    S32(4, true, null),
    U64(8, false, null),
    S64(8, true, null),
    F16(2, true, FloatFormat.F16),
    BF16(2, true, FloatFormat.BF16),
    /** A 32-bit word of which the tensor cores read the upper 19 bits. */
    TF32(4, true, FloatFormat.TF32),
    F32(4, true, FloatFormat.F32),
    F64(8, true, null),
    E4M3(1, true, FloatFormat.E4M3),
    E5M2(1, true, FloatFormat.E5M2);

    private final int bytes;
    private final boolean signed;
    private final @Nullable FloatFormat format;

    ElementType(int bytes, boolean signed, @Nullable FloatFormat format) {
        this.bytes = bytes;
        this.signed = signed;
        this.format = format;
    }

    /**
     * Reads the lower-case name.
     *
     * @throws IllegalArgumentException naming the text and the types there are
     */
    public static ElementType named(String text) {
        return Arrays.stream(values())
                .filter(type -> type.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Arrays.stream(values()).map(ElementType::toString).collect(Collectors.joining(", "))
                        + ", got '" + text + "'"));
    }

    /** Bytes of an element. */
    public int bytes() {
        return bytes;
    }

    public boolean isFloat() {
        return format != null || this == F64;
    }

    /** Bits of the nearest value, ties to even; integers saturate, and take NaN for 0. */
    public long encode(double value) {
        if (format != null) {
            return format.encode(value);
        }
        if (this == F64) {
            return Double.doubleToRawLongBits(value);
        }
        double whole = Math.rint(Double.isNaN(value) ? 0 : value);
        BigInteger nearest =
                Double.isInfinite(whole) ? (whole > 0 ? highest() : lowest()) : new BigDecimal(whole).toBigInteger();
        return mask(nearest.max(lowest()).min(highest()).longValue());
    }

    /** The value of some bits; integers above 2^53 are rounded. */
    public double decode(long bits) {
        if (format != null) {
            return format.decode(mask(bits));
        }
        return this == F64 ? Double.longBitsToDouble(bits) : integer(bits).doubleValue();
    }

    /**
     * Bits of a number as it is written: decimal, {@code inf}, {@code -inf}, {@code nan}, or hexadecimal bits behind
     * {@code 0x}.
     *
     * @throws IllegalArgumentException if it is no number, or an integer type does not hold it
     */
    public long parse(String text) {
        try {
            if (text.startsWith("0x")) {
                BigInteger bits = new BigInteger(text.substring(2), 16);
                if (bits.signum() < 0 || bits.bitLength() > 8 * bytes) {
                    throw new IllegalArgumentException("must be bits of " + this + ", got " + text);
                }
                return bits.longValue();
            }
            if (isFloat()) {
                return encode(
                        switch (text.toLowerCase(Locale.ROOT)) {
                            case "nan", ".nan" -> Double.NaN;
                            case "inf", ".inf", "+inf" -> Double.POSITIVE_INFINITY;
                            case "-inf", "-.inf" -> Double.NEGATIVE_INFINITY;
                            default -> new BigDecimal(text).doubleValue();
                        });
            }
            BigInteger value = new BigDecimal(text).toBigIntegerExact();
            if (value.compareTo(lowest()) < 0 || value.compareTo(highest()) > 0) {
                throw new IllegalArgumentException(
                        "must be a " + this + " of " + lowest() + ".." + highest() + ", got " + text);
            }
            return mask(value.longValue());
        } catch (NumberFormatException | ArithmeticException notOne) {
            throw new IllegalArgumentException("must be a number of type " + this + ", got " + text, notOne);
        }
    }

    /** A value for people: its shortest decimal. */
    public String show(long bits) {
        if (!isFloat()) {
            return integer(bits).toString();
        }
        double value = decode(bits);
        return this == F64 ? Double.toString(value) : Float.toString((float) value);
    }

    /** Bits that no right kernel writes: a NaN, or a pattern for integers. */
    public long poison() {
        if (format != null) {
            return format.nan();
        }
        return this == F64 ? Long.MAX_VALUE : mask(0xA5A5_A5A5_A5A5_A5A5L);
    }

    /** Half a unit in the last place, relative to a value; 0 for integers. */
    public double halfUnit() {
        return this == F64 ? 0x1p-53 : format == null ? 0 : format.halfUnit();
    }

    /** The smallest positive value. */
    public double smallest() {
        return this == F64 ? Double.MIN_VALUE : format == null ? 1 : format.smallest();
    }

    private BigInteger lowest() {
        return signed ? BigInteger.ONE.shiftLeft(8 * bytes - 1).negate() : BigInteger.ZERO;
    }

    private BigInteger highest() {
        return BigInteger.ONE.shiftLeft(signed ? 8 * bytes - 1 : 8 * bytes).subtract(BigInteger.ONE);
    }

    private BigInteger integer(long bits) {
        int unused = 64 - 8 * bytes;
        if (signed) {
            return BigInteger.valueOf(bits << unused >> unused);
        }
        return new BigInteger(Long.toUnsignedString(mask(bits)));
    }

    private long mask(long bits) {
        int unused = 64 - 8 * bytes;
        return bits << unused >>> unused;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
