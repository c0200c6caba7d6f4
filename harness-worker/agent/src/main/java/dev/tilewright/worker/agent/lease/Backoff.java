package dev.tilewright.worker.agent.lease;

import java.time.Duration;

/** Growing pauses between repetitions: doubled each time, up to a limit. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private Duration next = FIRST;

    /** The pause to make now. */
    Duration pause() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : doubled;
        return pause;
    }

    /** Begins again with the shortest pause. */
    void reset() {
        next = FIRST;
    }
}
