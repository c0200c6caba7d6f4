package dev.tilewright.worker.gpu.peer;

import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Arms of a peer for a problem. */
public sealed interface PeerArms extends AutoCloseable {

    /**
     * Its kernels.
     *
     * @param library which library they are from, with its version
     * @param arms those that it returns by itself
     * @param more looks through all that it has
     * @param algorithms any of all that it has, by its config
     */
    record Found(
            String library,
            List<PeerArm> arms,
            LongFunction<PeerDraw> more,
            Function<Config, PeerAlgorithm> algorithms,
            Runnable release)
            implements PeerArms {

        /** Of a peer that has no algorithms by configs. */
        public Found(String library, List<PeerArm> arms, LongFunction<PeerDraw> more, Runnable release) {
            this(
                    library,
                    arms,
                    more,
                    config -> new PeerAlgorithm.Refused(library + " has no algorithm " + config.canonical()),
                    release);
        }

        /** All that it has. */
        public Found(String library, List<PeerArm> arms, Runnable release) {
            this(library, arms, _ -> PeerDraw.NOTHING, release);
        }

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
