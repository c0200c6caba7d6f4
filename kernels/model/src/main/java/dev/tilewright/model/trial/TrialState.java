package dev.tilewright.model.trial;

import java.util.Locale;

/** Where a trial stands; what came of it is its {@link TrialOutcome}. Written in lower case. */
public enum TrialState {
    QUEUED,
    LEASED,
    FINISHED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
