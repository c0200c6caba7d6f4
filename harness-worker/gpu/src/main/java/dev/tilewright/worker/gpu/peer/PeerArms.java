package dev.tilewright.worker.gpu.peer;

import java.util.List;

/** What a peer brings for a problem. */
public sealed interface PeerArms extends AutoCloseable {

    /**
     * Its kernels.
     *
     * @param library which library they are from, with its version
     */
    record Found(String library, List<PeerArm> arms, Runnable release) implements PeerArms {
        @Override
        public void close() {
            release.run();
        }
    }

    /** It is not here. */
    record Absent(String reason) implements PeerArms {
        @Override
        public void close() {}
    }

    @Override
    void close();
}
