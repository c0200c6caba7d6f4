package dev.tilewright.worker.link.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.link.client.ProblemDetail;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class PlainTextTest {

    /** Clears the screen, rings, begins a line of its own, and writes from right to left. */
    private static final String HOSTILE = "a\u001b[2J\u0007\r\nb\u009b1m\u2028c\u202ed";

    private static final String PLAIN = "a\\u001b[2J\\u0007\\u000d\\u000ab\\u009b1m\\u2028c\\u202ed";

    @Test
    void aLineHasNoControlCharacters() {
        assertThat(PlainText.line(HOSTILE)).isEqualTo(PLAIN);
        assertThat(PlainText.line("\u00e4 \u4e2d \u2588 \ud83d\ude00")).isEqualTo("\u00e4 \u4e2d \u2588 \ud83d\ude00");
    }

    @Test
    void outputKeepsLinesAndEverythingThatCanBeSeen() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(new PlainOutput(bytes), true, StandardCharsets.UTF_8);
        out.print("\r" + "x\u001b[2J\u007f\n\ty\u009b1m \u00a0\u00bf\u00c2\u00e9\u2588");
        for (byte each : "\u0085\u00a1z".getBytes(StandardCharsets.UTF_8)) {
            out.write(each);
        }
        out.flush();
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo("\rx\\u001b[2J\\u007f\n\ty\\u009b1m \u00a0\u00bf\u00c2\u00e9\u2588\\u0085\u00a1z");
    }

    @Test
    void barsAreDigitsWhereTheTerminalHasNoUtf8() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(new PlainOutput(bytes, true), true, StandardCharsets.UTF_8);
        out.print("7:112 8:20 \u2588\u2582 \u2581 x");
        for (byte each : "\u2585\u2590\u20ac\u00e9y".getBytes(StandardCharsets.UTF_8)) {
            out.write(each);
        }
        out.flush();
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("7:112 8:20 82 1 x5\u2590\u20ac\u00e9y");
    }

    @Test
    void aMessageOfTheLogIsOneLine() {
        assertThat(new PlainFormatter().formatMessage(new LogRecord(Level.WARNING, HOSTILE)))
                .isEqualTo(PLAIN);
    }

    @Test
    void whatTheServiceSaysIsALineEach() {
        ProblemDetail.Fault fault = new ProblemDetail.Fault("/name", "bad " + HOSTILE);
        assertThat(new ProblemDetail(null, 422, "got " + HOSTILE, List.of(fault)).lines())
                .containsExactly("got " + PLAIN, "/name: bad " + PLAIN);
    }
}
