package dev.tilewright.results;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes that grow: seven bits of a number in each, the low ones first, and a sign in the lowest bit of a difference.
 */
final class Sink {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void one(int value) {
        bytes.write(value);
    }

    void all(byte[] values) {
        bytes.writeBytes(values);
    }

    void number(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    void text(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("a text has half a surrogate pair");
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        number(encoded.length);
        all(encoded);
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
