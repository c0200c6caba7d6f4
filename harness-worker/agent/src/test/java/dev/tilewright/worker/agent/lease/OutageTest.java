package dev.tilewright.worker.agent.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageTest {

    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-21T10:00:00Z");
    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    };
    private final Outage outage = new Outage(clock, lines::add);

    private void after(long seconds) {
        now = now.plusSeconds(seconds);
    }

    @Test
    void saysItAtOnceAndThenRarely() {
        for (int i = 0; i < 65; i++) {
            outage.lasts("cannot reach http://x: connection refused");
            after(1);
        }

        assertThat(lines)
                .containsExactly(
                        "cannot reach http://x: connection refused",
                        "cannot reach http://x: connection refused (for 30 s)",
                        "cannot reach http://x: connection refused (for 60 s)");
    }

    @Test
    void saysOnceThatItIsOver() {
        outage.over();
        outage.lasts("away");
        after(7);
        outage.over();
        outage.over();

        assertThat(lines).containsExactly("away", "the service is back after 7 s");
    }

    @Test
    void aServiceThatComesAndGoesDoesNotFillTheLog() {
        for (int i = 0; i < 10; i++) {
            outage.lasts("away");
            outage.over();
            after(1);
        }

        assertThat(lines).containsExactly("away", "the service is back after 0 s");
    }

    @Test
    void aLaterOutageIsSaidAtOnceAgain() {
        outage.lasts("away");
        outage.over();
        after(31);
        outage.lasts("away again");

        assertThat(lines).last().isEqualTo("away again");
    }
}
