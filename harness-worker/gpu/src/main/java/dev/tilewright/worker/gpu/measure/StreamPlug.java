package dev.tilewright.worker.gpu.measure;

/** Holds the stream until everything behind it is queued, so that the rate of launching never shows. */
public interface Gate {

    /** How many gates may be in the stream at a time, passed or not, of which the last alone may be closed. */
    int MOST = 32;

    /** Puts a gate into the stream, closed. */
    Passage shut();

    /** One gate in the stream. */
    interface Passage {

        /** Lets the stream go on. */
        void open();

        /**
         * Whether the gate, now passed, held until it was opened; otherwise it gave up, and what was behind it started
         * too early.
         */
        boolean held();
    }
}
