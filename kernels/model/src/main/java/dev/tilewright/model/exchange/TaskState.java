package dev.tilewright.model.exchange;

import java.util.Locale;

/** How far a task is. Written in lower case. */
public enum TaskState {
    QUEUED,
    LEASED,
    FINISHED,
    FAILED,
    CANCELLED;

    /** Whether nothing more will come of it. */
    public boolean isOver() {
        return switch (this) {
            case QUEUED, LEASED -> false;
            case FINISHED, FAILED, CANCELLED -> true;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
