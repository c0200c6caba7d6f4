package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.proof.file.CheckProgress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CheckLinesTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final StringWriter err = new StringWriter();

    private CheckLines lines(Terminal terminal) {
        InstantSource source = now::get;
        return new CheckLines(new RedrawnLine(new PrintWriter(err), terminal, source.withZone(ZoneOffset.UTC)));
    }

    @Test
    void aLineEveryFiveSecondsInAFile() {
        CheckLines lines = lines(Terminal.NONE);
        for (int second = 0; second <= 13; second++) {
            now.set(Instant.EPOCH.plusSeconds(second));
            lines.at(2, 5, 7, 1_250_000L * second);
        }
        lines.clear();

        assertThat(err.toString().lines())
                .containsExactly(
                        "run 2 of 5, seed 7: 6.3 million warp instructions, 5 s, about 20 s left",
                        "run 2 of 5, seed 7: 12.5 million warp instructions, 10 s, about 40 s left");
    }

    /** The second quarter of all work, of which three fifths are over. */
    @Test
    void aPartIsNamedAndTheTotalIsThatOfAll() {
        CheckLines lines = lines(Terminal.NONE);
        CheckProgress part = lines.within(0.25, 0.25, "config 1 of 2, shape 2 of 2");
        now.set(Instant.EPOCH.plusSeconds(40));
        part.at(4, 5, 9, 2_000_000);

        assertThat(err.toString().lines())
                .containsExactly("config 1 of 2, shape 2 of 2, run 4 of 5, seed 9: 2.0 million warp instructions, 40 s,"
                        + " about 60 s left");
    }

    @Test
    void oneLineThatIsRedrawnOnATerminal() {
        CheckLines lines = lines(new Terminal(true, 80));
        lines.at(1, 5, 6, 40_000);
        now.set(Instant.EPOCH.plusMillis(100));
        lines.at(1, 5, 6, 50_000);
        now.set(Instant.EPOCH.plusSeconds(11));
        lines.at(4, 5, 9, 1_250_000);
        lines.clear();
        lines.clear();

        assertThat(err.toString().split("\r", -1))
                .containsExactly(
                        "",
                        "[......................] run 1 of 5, seed 6: 0.0 million warp instructions, 0 s",
                        "[###..] run 4 of 5, seed 9: 1.3 million warp instructions, 11 s, about 7 s left",
                        " ".repeat(79),
                        "");
    }
}
