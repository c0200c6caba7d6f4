package dev.tilewright.api.work;

import java.util.Locale;
import java.util.UUID;

/**
 * How a piece of work stands.
 *
 * @param attempts leases that count: a worker reported the work, was lost with it, or has it now
 * @param fence number of the last lease, from 1; 0 before the first
 */
public record Standing(WorkId work, State state, int attempts, long fence) {

    /**
     * The columns that every table of work has.
     *
     * @param state {@code queued} or {@code leased}: the feature writes itself what is over
     */
    public record Columns(UUID id, String state, int attempts, long fence) {}

    /** As a table of work has it. */
    public Columns columns() {
        return new Columns(work.id(), state.toString(), attempts, fence);
    }

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
