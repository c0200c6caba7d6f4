package dev.tilewright.emulator.tensor;

import java.util.Optional;

/**
 * The matrix descriptors of tcgen05: those of wgmma but for a constant, and other codes for the swizzle. PTX
 * 9.7.16.4.1.
 */
public final class TensorDescriptor {
    private static final long FIXED = 1L << 46;
    private static final long FIXED_FIELD = 7L << 46;
    private static final long ABSOLUTE = 1L << 52;
    private static final int SWIZZLE = 61;
    private static final int ATOMS_OF_32 = 1;

    private TensorDescriptor() {}

    /** The matrix that bits name which are not refused. */
    public static MatrixDescriptor decode(long bits) {
        Swizzle swizzle = switch ((int) (bits >>> SWIZZLE)) {
            case 0 -> Swizzle.NONE;
            case 2 -> Swizzle.B128;
            case 4 -> Swizzle.B64;
            case 6 -> Swizzle.B32;
            default -> throw new IllegalArgumentException("no swizzle in 0x" + Long.toHexString(bits));
        };
        return new MatrixDescriptor(
                field(bits, 0),
                field(bits, 16),
                field(bits, 32),
                (int) (bits >>> 49) & 7,
                swizzle);
    }

    private static int field(long bits, int from) {
        return ((int) (bits >>> from) & 0x3FFF) << 4;
    }

    /**
     * Why the bits name no matrix, if so. A matrix may begin at any row of a pattern; the base offset says where the
     * pattern begins.
     */
    public static Optional<String> refusal(long bits) {
        if ((bits & FIXED_FIELD) != FIXED) {
            return Optional.of("bits 46-48 must be 0b001, got 0b" + Long.toBinaryString(bits >>> 46 & 7));
        }
        if ((bits & (3L << 14 | 3L << 30 | 0xFFL << 53)) != 0) {
            return Optional.of(
                    "bits 14-15, 30-31 and 53-60 must be 0 (an address must be masked to 18 bits)");
        }
        if ((bits & ABSOLUTE) != 0) {
            return Optional.of("bit 52, an absolute leading dimension, is of sm_103a");
        }
        int code = (int) (bits >>> SWIZZLE);
        if (code == ATOMS_OF_32) {
            return Optional.of("the swizzle of 128 bytes with atoms of 32 bytes is not emulated");
        }
        if ((code & 1) != 0) {
            return Optional.of("bits 61-63 say swizzle " + code + ", there are 0, 1, 2, 4 and 6");
        }
        return Optional.empty();
    }
}
