package dev.tilewright.emulator;

import java.util.Arrays;

/**
 * A buffer in global memory.
 *
 * @param content its bytes before the launch; never written to
 * @param guard bytes on both sides in which any access is out of bounds
 */
public record Buffer(String name, byte[] content, int guard) {
    public Buffer {
        if (content.length == 0 || guard < 0) {
            throw new IllegalArgumentException("buffer " + name + ": needs bytes and a guard of 0 or more, got "
                    + content.length + " and " + guard);
        }
    }

    /** A buffer with a guard of 4096 bytes. */
    public static Buffer of(String name, byte[] content) {
        return new Buffer(name, content, 4096);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Buffer b
                && name.equals(b.name)
                && guard == b.guard
                && Arrays.equals(content, b.content);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + Arrays.hashCode(content);
    }
}
