package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Requests as they come, read by a thread of their own: the next one is there when the one at hand is answered. */
final class Inbox {

    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

    /** A message that was read. */
    private sealed interface Arrival {
        record Request(RunnerRequest request) implements Arrival {}

        record End() implements Arrival {}

        record Broken(IOException why) implements Arrival {}
    }

    private Inbox() {}

    /** Begins to read. */
    static Inbox of(CborChannel<RunnerReply, RunnerRequest> host) {
        Inbox inbox = new Inbox();
        Thread.ofPlatform().name("requests").daemon().start(() -> inbox.read(host));
        return inbox;
    }

    private void read(CborChannel<RunnerReply, RunnerRequest> host) {
        try {
            for (Optional<RunnerRequest> request = host.receive(); request.isPresent(); request = host.receive()) {
                arrivals.add(new Arrival.Request(request.get()));
            }
            arrivals.add(new Arrival.End());
        } catch (IOException broken) {
            arrivals.add(new Arrival.Broken(broken));
        }
    }

    /** Waits for the next request; empty when the host has closed the stream. */
    Optional<RunnerRequest> take() throws IOException {
        try {
            return switch (arrivals.take()) {
                case Arrival.Request(RunnerRequest request) -> Optional.of(request);
                case Arrival.End _ -> Optional.empty();
                case Arrival.Broken(IOException why) -> throw why;
            };
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The request that {@link #take} would give at once, which stays; empty if there is none yet. */
    Optional<RunnerRequest> next() {
        return arrivals.peek() instanceof Arrival.Request(RunnerRequest request)
                ? Optional.of(request)
                : Optional.empty();
    }
}
