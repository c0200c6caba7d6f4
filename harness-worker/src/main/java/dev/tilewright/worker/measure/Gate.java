package dev.tilewright.worker.measure;

/** Holds the stream until everything behind it is queued, so that the rate of launching never shows. */
public interface Gate {

    /** Puts the gate into the stream, closed. The gate before it must have been passed. */
    void shut();

    /** Lets the stream go on. */
    void open();

    /**
     * Whether the gate, now passed, held until it was opened; otherwise it gave up, and what was behind it started too
     * early.
     */
    boolean held();
}
