package dev.tilewright.model.trial;

import java.util.Locale;

/**
 * The question that a timed block answers. Under the power limit the clock lags the load by about 0.1 s, so the two are
 * kept apart. Written in lower case.
 */
public enum Question {
    /**
     * Runs of a few milliseconds in mirrored order, all at the clock that they have together: who needs fewer cycles.
     */
    SAME_CLOCK,
    /** Each arm settled by itself before it is timed, at the clock that it has alone: what a user gets. */
    STEADY_STATE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
