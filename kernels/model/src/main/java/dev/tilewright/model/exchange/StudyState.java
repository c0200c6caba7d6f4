package dev.tilewright.model.exchange;

import java.util.Locale;

/** The state of a study or a job. Written in lower case. */
public enum StudyState {
    /** No device has taken it yet. */
    QUEUED,
    RUNNING,
    FINISHED,
    /** It could not be carried out, and has an error; a job: none of its studies could. */
    FAILED,
    CANCELLED;

    /** Whether nothing will change any more. */
    public boolean isOver() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case FINISHED, FAILED, CANCELLED -> true;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
