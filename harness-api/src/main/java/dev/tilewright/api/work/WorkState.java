package dev.tilewright.api.work;

import java.util.Locale;

/**
 * The state of a piece of work.
 *
 * @param attempts leases that count: a worker reported the work, was lost with it, or has it now
 * @param fence number of the last lease, from 1; 0 before the first
 */
public record WorkState(WorkId work, State state, int attempts, long fence) {

    /** Whether work waits, a worker has it, or nothing more will come of it. */
    public enum State {
        QUEUED,
        LEASED,
        OVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
