package dev.tilewright.gemm.launch;

/** Layout of rows in shared memory: the span in bytes within which 16-byte chunks are permuted. */
public enum Swizzle {
    NONE(0),
    B32(32),
    B64(64),
    B128(128);

    private final int bytes;

    Swizzle(int bytes) {
        this.bytes = bytes;
    }

    /** Span in bytes; 0 for none. */
    public int bytes() {
        return bytes;
    }

    /**
     * The swizzle with this span.
     *
     * @throws IllegalArgumentException naming the value and the accepted ones
     */
    public static Swizzle of(int bytes) {
        for (Swizzle swizzle : values()) {
            if (swizzle.bytes == bytes) {
                return swizzle;
            }
        }
        throw new IllegalArgumentException("a swizzle spans 0, 32, 64 or 128 bytes, got " + bytes);
    }
}
