package dev.tilewright.emulator.tensor;

import java.util.Optional;

/**
 * A wgmma matrix descriptor, decoded bit by bit. PTX 9.7.15.5.1.2.
 *
 * @param start byte address, bits 0-13 in units of 16
 * @param leading leading-dimension byte offset, bits 16-29 likewise
 * @param stride stride-dimension byte offset, bits 32-45 likewise
 * @param baseOffset bits 49-51: lines of 128 bytes by which the patterns of the swizzle begin behind a multiple of
 *     their size
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

    /**
     * Why the bits name no matrix, if so. A matrix may begin at any row of a pattern: the base offset says where the
     * pattern begins, which for what tensor copies wrote is a multiple of its size wherever they wrote it.
     */
    public static Optional<String> refusal(long bits) {
        long unused = bits & ((3L << 14) | (3L << 30) | (7L << 46) | (0x3FFL << 52));
        if (unused != 0) {
            return Optional.of("bits 14-15, 30-31, 46-48 and 52-61 must be 0 (an address must be masked to 18 bits)");
        }
        return Optional.empty();
    }

    /**
     * Why a matrix with rows of that many bytes along its major dimension does not begin here, if so: a row, or as much
     * of it as the swizzle spans, must not leave its span.
     */
    public Optional<String> rowRefusal(int bytes) {
        int span = swizzle.span();
        int at = swizzle == Swizzle.NONE ? 0 : start % span;
        if (swizzle == Swizzle.NONE || at + Math.min(bytes, span) <= span) {
            return Optional.empty();
        }
        return Optional.of("the start address 0x" + Integer.toHexString(start) + " lies at byte " + at
                + " of a swizzle of " + span + " bytes, where a row of " + Math.min(bytes, span)
                + " bytes does not fit");
    }

    /**
     * The address of 16 bytes of a K-major matrix.
     *
     * @param row along M or N
     * @param chunk 16-byte column along K
     */
    public int kMajor(int row, int chunk) {
        int group = start + (row >> 3) * stride;
        return swizzle == Swizzle.NONE
                ? group + (row & 7) * 16 + chunk * leading
                : swizzle.apply(group + (row & 7) * swizzle.span() + chunk * 16, baseOffset);
    }

    /**
     * The address of 16 bytes (8 elements of 16 bits along M or N) of an MN-major matrix.
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
        return swizzle.apply(block + (k & 7) * swizzle.span() + chunk % chunks * 16, baseOffset);
    }
}
