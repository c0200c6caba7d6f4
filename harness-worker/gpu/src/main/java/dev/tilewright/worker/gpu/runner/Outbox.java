package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replies to the host, in the order in which they are handed in. Replies are made and written by a thread of their own:
 * summing up a trial takes a millisecond or two, in which the GPU can be at the next one.
 */
final class Outbox implements Closeable {

    private final CborChannel<RunnerReply, RunnerRequest> host;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("replies").daemon().factory());
    private volatile @Nullable IOException gone;

    Outbox(CborChannel<RunnerReply, RunnerRequest> host) {
        this.host = host;
    }

    /**
     * Hands in what will be said.
     *
     * @param reply makes it; where that fails, the reply is the failure
     * @throws UncheckedIOException if the host does not listen any more
     */
    void send(Supplier<? extends RunnerReply> reply) {
        requireHost();
        writer.execute(() -> write(reply));
    }

    private void write(Supplier<? extends RunnerReply> reply) {
        if (gone != null) {
            return;
        }
        try {
            host.send(made(reply));
        } catch (IOException broken) {
            gone = broken;
        } catch (RuntimeException | Error broken) {
            // The host counts replies: without this one the next would be taken for it.
            gone = new IOException("a reply was not written: " + broken, broken);
        }
    }

    private static RunnerReply made(Supplier<? extends RunnerReply> reply) {
        try {
            return reply.get();
        } catch (RuntimeException failure) {
            return new RunnerReply.Failed(failure.toString());
        }
    }

    private void requireHost() {
        IOException broken = gone;
        if (broken != null) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Waits until all is said. */
    @Override
    public void close() {
        writer.close();
        requireHost();
    }
}
