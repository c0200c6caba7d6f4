package dev.tilewright.model.trial;

import java.util.Locale;

/** The state of a trial; its result is its {@link TrialOutcome}. Written in lower case. */
public enum TrialState {
    QUEUED,
    LEASED,
    FINISHED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
