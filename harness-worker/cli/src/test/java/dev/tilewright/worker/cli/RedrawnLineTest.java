package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RedrawnLineTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final StringWriter err = new StringWriter();

    private RedrawnLine line(Terminal terminal) {
        InstantSource source = now::get;
        return new RedrawnLine(new PrintWriter(err), terminal, source.withZone(ZoneOffset.UTC));
    }

    private void after(long millis) {
        now.set(Instant.EPOCH.plusMillis(millis));
    }

    @Test
    void withATotalThereAreABarAndTheTimeThatIsLeft() {
        RedrawnLine line = line(new Terminal(true, 60));
        line.show(0, "0 of 7 configs");
        after(150);
        line.show(0.1, "not due");
        after(14_000);
        line.show(2 / 7.0, "2 of 7 configs");
        after(900_000);
        line.show(3 / 7.0, "3 of 7 configs");
        after(1_000_000);
        line.show(1, "7 of 7 configs");
        line.leave();

        assertThat(err.toString().split("\r|" + System.lineSeparator()))
                .containsExactly(
                        "",
                        "[.....................................] 0 of 7 configs, 0 s",
                        "[#####..............] 2 of 7 configs, 14 s, about 35 s left",
                        "[######.........] 3 of 7 configs, 15 min, about 20 min left",
                        "[##################################] 7 of 7 configs, 17 min");
    }

    @Test
    void withoutATotalThereIsNoBar() {
        RedrawnLine line = line(new Terminal(true, 40));
        line.show("comparison queued");
        after(1700);
        line.show("comparison leased");
        line.clear();
        line.clear();

        assertThat(err.toString().split("\r", -1))
                .containsExactly(
                        "",
                        "comparison queued, 0 s                 ",
                        "comparison leased, 1 s                 ",
                        " ".repeat(39),
                        "");
    }

    @Test
    void inAFileALineComesEveryFiveSeconds() {
        RedrawnLine line = line(Terminal.NONE);
        for (int second = 0; second < 11; second++) {
            after(1000 * second);
            line.show(0.5, "half");
        }
        line.clear();
        line.leave();

        assertThat(err.toString().lines()).containsExactly("half, 5 s, about 5 s left", "half, 10 s, about 10 s left");
    }
}
