package dev.tilewright.model.exchange;

import java.util.Locale;

/** The stage of a running study. */
public enum StudyStage {
    /** Trials are asked for and evaluated. */
    SWEEP,
    /** The sweep is over: a worker makes its fastest kernels ready, and races them for the final. */
    RACE,
    /** A worker times the winners of the race beside the peers. */
    FINAL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
