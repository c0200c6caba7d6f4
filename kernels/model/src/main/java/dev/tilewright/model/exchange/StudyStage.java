package dev.tilewright.model.exchange;

import java.util.Locale;

/** What a study that runs is at. */
public enum StudyStage {
    /** Trials are asked for and evaluated. */
    SWEEP,
    /** The sweep is over: a worker races its fastest kernels, and times the winners beside the peers. */
    FINAL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
