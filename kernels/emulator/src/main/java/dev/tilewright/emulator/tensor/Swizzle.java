package dev.tilewright.emulator.tensor;

/**
 * How 16-byte chunks are exchanged within rows of shared memory: bits 4.. of an address are xored with bits 7.., as
 * many as the span has chunks.
 */
public enum Swizzle {
    NONE(0),
    B32(32),
    B64(64),
    B128(128);

    /** Bytes of shared memory between the addresses that are exchanged differently. */
    static final int LINE = 128;

    private final int span;
    private final int mask;

    Swizzle(int span) {
        this.span = span;
        mask = span == 0 ? 0 : span - 16;
    }

    /** Bytes of a row within which chunks are exchanged; 0 for none. */
    public int span() {
        return span;
    }

    /** Maps an address without swizzle to the swizzled address. The function is its own inverse. */
    public int apply(int address) {
        return address ^ ((address >> 3) & mask);
    }

    /** As {@link #apply(int)}, where patterns begin {@code lines} lines of 128 bytes behind their natural boundary. */
    int apply(int address, int lines) {
        return address ^ ((address - lines * LINE >> 3) & mask);
    }
}
