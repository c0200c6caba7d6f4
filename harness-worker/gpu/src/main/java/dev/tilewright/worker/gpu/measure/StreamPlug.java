package dev.tilewright.worker.gpu.measure;

/**
 * Holds the stream until everything behind it is queued. So a time never contains the rate at which the host launches.
 */
public interface StreamPlug {

    /**
     * How many plugs may be in the stream at a time, pulled or not. Only the last may be one that is not pulled yet.
     */
    int MAX_IN_STREAM = 32;

    /** Puts a plug into the stream: nothing behind it starts before it is pulled. */
    Inserted insert();

    /** One plug in the stream. */
    interface Inserted {

        /** Lets the stream go on. */
        void pull();

        /**
         * Whether the plug held until it was pulled. If not, it gave up, and the work behind it started too early. May
         * be asked once the stream is past the plug.
         */
        boolean held();
    }
}
