package dev.tilewright.worker.gpu.measure;

import java.util.Optional;

/** Counts the cycles of an SM between two points of the stream: finer than what the management library says. */
public interface CycleCounter {

    /** Puts the first reading into the stream; as many may be under way as there are plugs. */
    Counting start();

    /** One count. */
    interface Counting {

        /** Puts the second reading into the stream. */
        void stop();

        /** Cycles counted, when the stream has passed both readings; empty if they cannot be compared. */
        Optional<Count> count();
    }

    /**
     * Cycles of one SM in a time on the clock of the device.
     *
     * @param nanos of wall time, positive as are the cycles
     */
    record Count(long cycles, long nanos) {}

    /** Counts nothing. */
    CycleCounter NONE = () -> new Counting() {
        @Override
        public void stop() {
            // Nothing is read.
        }

        @Override
        public Optional<Count> count() {
            return Optional.empty();
        }
    };
}
