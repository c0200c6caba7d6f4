package dev.tilewright.worker.link.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventReaderTest {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsEventsAsTheStandardSays() throws IOException, InterruptedException {
        String text = ": hello\n\nid: 4\nevent: trial.finished\ndata: {\"a\":\ndata:  1}\n\n"
                + "retry: 9\nid\ndata\n\nevent: nothing\n\ndata:x:y\r\n\r\nid: 5\ndata: cut";
        List<ServerEvent> events = new ArrayList<>();
        try (EventReader stream = new EventReader(bytes(text))) {
            for (int i = 0; i < 3; i++) {
                events.add(stream.next(LONG).orElseThrow());
            }
            assertThatThrownBy(() -> stream.next(LONG)).hasMessage("the stream of events was ended");
        }
        assertThat(events)
                .containsExactly(
                        new ServerEvent("4", "trial.finished", "{\"a\":\n 1}"),
                        new ServerEvent("", "message", ""),
                        new ServerEvent("", "message", "x:y"));
    }

    @Test
    void nothingNewIsNoFailureButSilenceIs() throws IOException, InterruptedException {
        try (PipedOutputStream out = new PipedOutputStream();
                EventReader stream = new EventReader(new PipedInputStream(out), Duration.ofMillis(200))) {
            assertThat(stream.next(SOON)).isEqualTo(Optional.empty());
            assertThatThrownBy(() -> {
                        while (true) {
                            stream.next(SOON);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("nothing has come over the stream of events");
        }
    }

    @Test
    void aConnectionThatBreaksIsAFailure() throws IOException, InterruptedException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset by peer");
            }
        };
        try (EventReader stream = new EventReader(broken)) {
            assertThatThrownBy(() -> stream.next(LONG)).hasMessage("the stream of events broke: reset by peer");
        }
    }
}
