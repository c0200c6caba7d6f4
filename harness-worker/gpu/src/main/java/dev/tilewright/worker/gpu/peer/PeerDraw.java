package dev.tilewright.worker.gpu.peer;

import java.util.Optional;

/** A way through all kernels of a peer, the most promising first; it is walked once. */
public interface PeerDraw {

    /** There is no more than the peer returns by itself. */
    PeerDraw NOTHING = new PeerDraw() {
        @Override
        public Optional<PeerArm> next() {
            return Optional.empty();
        }

        @Override
        public Seen seen() {
            return new Seen(0, 0, 0, 0, "");
        }
    };

    /**
     * The counts of a draw.
     *
     * @param tried algorithms that the library was asked for
     * @param valid algorithms that the library takes for the problem
     * @param kernels that could be told apart, those that the peer returns by itself among them
     * @param refused algorithms that were valid, but could not be launched
     * @param trouble met on the way; empty if there was none
     */
    record Seen(int tried, int valid, int kernels, int refused, String trouble) {}

    /**
     * The next that launches something that none before did, what the peer returns by itself included. Looking for it
     * takes time: it ends empty if there is none among the next few hundred, and may be asked again.
     */
    Optional<PeerArm> next();

    /** The counts so far. */
    Seen seen();

    /** Whether there may be more. */
    default boolean isOver() {
        return true;
    }
}
