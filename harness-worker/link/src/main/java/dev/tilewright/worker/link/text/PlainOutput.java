package dev.tilewright.worker.link.text;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Lets UTF-8 pass but for its control characters, which are written out. Ends of lines, tabs and the carriage return of
 * a progress line stay.
 */
public final class PlainOutput extends FilterOutputStream {

    /** Begins the two bytes of U+0080 to U+00BF, of which the first half are control characters. */
    private static final int LEAD = 0xc2;

    private boolean led;

    public PlainOutput(OutputStream out) {
        super(out);
    }

    @Override
    public synchronized void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(length + 16);
        for (int i = offset; i < offset + length; i++) {
            take(bytes[i] & 0xff, plain);
        }
        plain.writeTo(out);
    }

    private void take(int value, ByteArrayOutputStream plain) {
        if (led && value >= 0x80 && value < 0xa0 || value == 0x7f || value < ' ' && "\n\r\t".indexOf(value) < 0) {
            plain.writeBytes("\\u%04x".formatted(value).getBytes(StandardCharsets.US_ASCII));
            led = false;
            return;
        }
        if (led) {
            plain.write(LEAD);
        }
        led = value == LEAD;
        if (!led) {
            plain.write(value);
        }
    }
}
