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

    /** All but the last of the three bytes of the bars, U+2581 to U+2588. */
    private static final byte[] BAR = {(byte) 0xe2, (byte) 0x96};

    private final boolean ascii;
    private boolean led;

    /** Bytes of a bar that have come so far. */
    private int bar;

    public PlainOutput(OutputStream out) {
        this(out, false);
    }

    /** @param ascii whether bars of eight heights are written as the digits 1 to 8, for a terminal without UTF-8 */
    public PlainOutput(OutputStream out, boolean ascii) {
        super(out);
        this.ascii = ascii;
    }

    @Override
    public synchronized void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(length + 16);
        for (int i = offset; i < offset + length; i++) {
            if (!ascii || !isPartOfBar(bytes[i], plain)) {
                take(bytes[i] & 0xff, plain);
            }
        }
        plain.writeTo(out);
    }

    /** Whether a byte belongs to a bar, or may; what turned out to be none is let through. */
    private boolean isPartOfBar(byte value, ByteArrayOutputStream plain) {
        if (bar < BAR.length && value == BAR[bar]) {
            bar++;
            return true;
        }
        boolean whole = bar == BAR.length && (value & 0xff) >= 0x81 && (value & 0xff) <= 0x88;
        if (whole) {
            plain.write('1' + (value & 0xff) - 0x81);
        } else {
            plain.write(BAR, 0, bar);
        }
        bar = 0;
        return whole;
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
