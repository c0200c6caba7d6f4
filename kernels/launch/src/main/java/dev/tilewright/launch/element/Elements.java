package dev.tilewright.launch.element;

/** Elements in little-endian bytes. */
public final class Elements {
    private Elements() {}

    /** Bits of the element that begins at a byte. */
    public static long get(byte[] bytes, int at, ElementType type) {
        long bits = 0;
        for (int i = type.bytes() - 1; i >= 0; i--) {
            bits = bits << 8 | bytes[at + i] & 0xFF;
        }
        return bits;
    }

    /** Puts an element at a byte. */
    public static void put(byte[] bytes, int at, ElementType type, long bits) {
        for (int i = 0; i < type.bytes(); i++) {
            bytes[at + i] = (byte) (bits >>> 8 * i);
        }
    }
}
