package dev.tilewright.emulator.tensor;

import java.util.Optional;

/**
 * A wgmma matrix descriptor, decoded bit by bit. PTX 9.7.15.5.1.2.
 *
 * @param start byte address, bits 0-13 in units of 16
 * @param leading leading-dimension byte offset, bits 16-29 likewise
 * @param stride stride-dimension byte offset, bits 32-45 likewise
 * @param baseOffset bits 49-51
 * @param swizzle bits 62-63: 0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes
 */
public record MatrixDescriptor(int start, int leading, int stride, int baseOffset, Swizzle swizzle) {
    private static final Swizzle[] CODES = {Swizzle.NONE, Swizzle.B128, Swizzle.B64, Swizzle.B32};

    public static MatrixDescriptor decode(long bits) {
        return new MatrixDescriptor(
                field(bits, 0), field(bits, 16), field(bits, 32), (int) (bits >>> 49) & 7, CODES[(int) (bits >>> 62)]);
    }

    private static int field(long bits, int from) {
        return ((int) (bits >>> from) & 0x3FFF) << 4;
    }

    /** Why the bits name no matrix, if so. */
    public static Optional<String> refusal(long bits) {
        long unused = bits & ((3L << 14) | (3L << 30) | (7L << 46) | (0x3FFL << 52));
        if (unused != 0) {
            return Optional.of("bits 14-15, 30-31, 46-48 and 52-61 must be 0 (an address must be masked to 18 bits)");
        }
        MatrixDescriptor matrix = decode(bits);
        int phase = matrix.start >> 7 & (matrix.swizzle.pattern() / 128 - 1);
        if (matrix.swizzle != Swizzle.NONE && phase != matrix.baseOffset) {
            return Optional.of("the start address 0x" + Integer.toHexString(matrix.start) + " lies in row " + phase
                    + " of a pattern of " + matrix.swizzle.pattern() + " bytes, the base offset says "
                    + matrix.baseOffset);
        }
        return Optional.empty();
    }

    /**
     * Where 16 bytes of a K-major matrix lie.
     *
     * @param row along M or N
     * @param chunk 16-byte column along K
     */
    public int kMajor(int row, int chunk) {
        int group = start + (row >> 3) * stride;
        return swizzle == Swizzle.NONE
                ? group + (row & 7) * 16 + chunk * leading
                : swizzle.apply(group + (row & 7) * swizzle.span() + chunk * 16);
    }

    /**
     * Where 16 bytes (8 elements of 16 bits along M or N) of an MN-major matrix lie.
     *
     * @param chunk 16-byte column along M or N
     * @param k row along K
     */
    public int mnMajor(int chunk, int k) {
        if (swizzle == Swizzle.NONE) {
            return start + chunk * stride + (k >> 3) * leading + (k & 7) * 16;
        }
        int chunks = swizzle.span() / 16;
        int block = start + chunk / chunks * leading + (k >> 3) * stride;
        return swizzle.apply(block + (k & 7) * swizzle.span() + chunk % chunks * 16);
    }
}
