package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.time.Duration;

/**
 * A child that is spoken to in messages, and that may hang or die. Used by one thread at a time; only {@link #close}
 * and {@link #strike} may come from another one.
 */
public interface ChildLink<S, R> extends AutoCloseable {

    /** Starts children, one at each call. */
    @FunctionalInterface
    interface Starter<S, R> {
        ChildLink<S, R> start() throws IOException;
    }

    /** Sends a request; false if the child is gone, which {@link #receive} then tells. */
    boolean send(S request);

    /**
     * Waits for the next message; the child is killed when it does not come in time. One that somebody had stopped
     * until then counts as killed by somebody.
     */
    Answer<R> receive(Duration limit);

    boolean isAlive();

    /** Kills the child and everything it started. */
    void kill();

    /** The same, but does not wait for its end. The thread that waits for a message sees the end. */
    void strike();

    /** Ends the child: by the end of its input if it obeys, otherwise by force. */
    @Override
    void close();
}
