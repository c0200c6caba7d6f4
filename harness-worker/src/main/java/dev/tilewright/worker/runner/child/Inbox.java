package dev.tilewright.worker.runner.child;

import dev.tilewright.worker.link.FrameChannel;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Requests as they come, read by a thread of their own: the next one is there when the one at hand is answered. */
final class Inbox {

    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();

    /** What was read. */
    private sealed interface Frame {
        record Request(RunnerRequest request) implements Frame {}

        record End() implements Frame {}

        record Broken(IOException why) implements Frame {}
    }

    private Inbox() {}

    /** Begins to read. */
    static Inbox of(FrameChannel<RunnerReply, RunnerRequest> host) {
        Inbox inbox = new Inbox();
        Thread.ofPlatform().name("requests").daemon().start(() -> inbox.read(host));
        return inbox;
    }

    private void read(FrameChannel<RunnerReply, RunnerRequest> host) {
        try {
            for (Optional<RunnerRequest> request = host.receive(); request.isPresent(); request = host.receive()) {
                frames.add(new Frame.Request(request.get()));
            }
            frames.add(new Frame.End());
        } catch (IOException broken) {
            frames.add(new Frame.Broken(broken));
        }
    }

    /** Waits for the next request; empty when the host has closed the stream. */
    Optional<RunnerRequest> take() throws IOException {
        try {
            return switch (frames.take()) {
                case Frame.Request(RunnerRequest request) -> Optional.of(request);
                case Frame.End _ -> Optional.empty();
                case Frame.Broken(IOException why) -> throw why;
            };
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The request that {@link #take} would give at once, which stays; empty if there is none yet. */
    Optional<RunnerRequest> next() {
        return frames.peek() instanceof Frame.Request(RunnerRequest request) ? Optional.of(request) : Optional.empty();
    }
}
