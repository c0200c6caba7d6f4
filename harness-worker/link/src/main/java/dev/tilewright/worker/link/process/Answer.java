package dev.tilewright.worker.link.process;

import java.time.Duration;

/** The result of waiting for a message of a child. */
public sealed interface Answer<R> {

    /** A message. */
    record Message<R>(R value) implements Answer<R> {}

    /**
     * The child is no more, or no longer speaks our language and was killed for it.
     *
     * @param stderr the last lines it wrote there
     */
    record Gone<R>(ExitStatus status, String stderr) implements Answer<R> {}

    /** The child did not answer in time; it was killed with all it had started. */
    record Overdue<R>(Duration limit, String stderr) implements Answer<R> {}
}
