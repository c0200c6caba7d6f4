package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CheckLinesTest {
    @Test
    void aLineEveryTenSeconds() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        InstantSource source = now::get;
        Clock clock = source.withZone(ZoneOffset.UTC);
        StringWriter err = new StringWriter();
        CheckLines lines = new CheckLines(new PrintWriter(err), clock);
        for (int second = 0; second <= 25; second++) {
            now.set(Instant.EPOCH.plusSeconds(second));
            lines.at(2, 5, 7, 1_250_000L * second);
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "run 2 of 5, seed 7: 12.5 million warp instructions; 10 s",
                        "run 2 of 5, seed 7: 25.0 million warp instructions; 20 s");
    }
}
