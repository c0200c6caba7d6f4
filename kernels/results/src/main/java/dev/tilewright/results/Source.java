package dev.tilewright.results;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the values that a {@link Sink} took, in the same order. */
final class Source {

    private final ByteBuffer bytes;

    Source(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    int one() {
        return Byte.toUnsignedInt(bytes.get());
    }

    byte[] all(int count) {
        if (count > bytes.remaining()) {
            throw new IllegalArgumentException(count + " bytes are announced, " + bytes.remaining() + " are left");
        }
        byte[] values = new byte[count];
        bytes.get(values);
        return values;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = one();
            value |= (next & 0x7fL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number has more than 64 bits");
    }

    /** A number of things, or which of some it is. */
    int count() {
        long count = number();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a count of " + Long.toUnsignedString(count));
        }
        return (int) count;
    }

    /** Nothing may be left when all was read. */
    void end() {
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes are left over");
        }
    }

    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    String text() {
        return new String(all(count()), StandardCharsets.UTF_8);
    }
}
