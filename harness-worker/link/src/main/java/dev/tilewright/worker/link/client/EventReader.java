package dev.tilewright.worker.link.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Events as the server sends them. A thread of its own reads, so that whoever takes them can do something else between
 * them. A server that has nothing to say sends a sign of life; one that does not is taken for lost.
 */
public final class EventReader implements AutoCloseable {

    /** Three signs of life of ours, which come every 15 s. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final InputStream body;
    private final Duration silence;
    private long lastArrival = System.nanoTime();

    /** An arrival at the reader. */
    private sealed interface Arrival {
        /** An event. */
        record Event(ServerEvent event) implements Arrival {}

        /** A line that is no event. */
        record Sign() implements Arrival {}

        /** Nothing more will come. */
        record Lost(IOException reason) implements Arrival {}
    }

    EventReader(InputStream body) {
        this(body, SILENCE);
    }

    EventReader(InputStream body, Duration silence) {
        this.body = body;
        this.silence = silence;
        Thread.ofVirtual().name("events").start(this::read);
    }

    private void read() {
        EventLines events = new EventLines();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<ServerEvent> event = events.take(line);
                arrivals.add(event.isPresent() ? new Arrival.Event(event.get()) : new Arrival.Sign());
            }
            arrivals.add(new Arrival.Lost(new IOException("the stream of events was ended")));
        } catch (IOException broken) {
            arrivals.add(new Arrival.Lost(
                    new IOException("the stream of events broke: " + Unreachable.reason(broken), broken)));
        }
    }

    /**
     * The next event, or nothing if none comes in time.
     *
     * @throws IOException if the stream has come to its end, broke, or the server has been silent for too long
     */
    public Optional<ServerEvent> next(Duration wait) throws IOException, InterruptedException {
        long until = System.nanoTime() + wait.toNanos();
        while (true) {
            Arrival arrival = arrivals.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            switch (arrival) {
                case Arrival.Event(ServerEvent event) -> {
                    lastArrival = System.nanoTime();
                    return Optional.of(event);
                }
                case Arrival.Sign _ -> lastArrival = System.nanoTime();
                case Arrival.Lost(IOException reason) -> throw reason;
                case null -> {
                    if (System.nanoTime() - lastArrival > silence.toNanos()) {
                        throw new IOException(
                                "nothing has come over the stream of events for " + silence.toSeconds() + " s");
                    }
                    return Optional.empty();
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException alreadyBroken) {
            // Whoever closes it wants nothing more from it.
        }
    }
}
