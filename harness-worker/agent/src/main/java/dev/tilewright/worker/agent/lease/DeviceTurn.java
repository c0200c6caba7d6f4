package dev.tilewright.worker.agent.lease;

import dev.tilewright.worker.link.process.GpuTurn;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a device at its GPU, for the thread that works there. A runner goes on to the next piece of work by
 * itself, so the turn is kept until nothing is queued there.
 */
final class DeviceTurn {

    private static final Logger LOG = System.getLogger(DeviceTurn.class.getName());

    private final String device;
    private final String uuid;
    private @Nullable GpuTurn turn;
    private boolean warned;

    /**
     * @param device label, as registered
     * @param uuid of the GPU; empty if the device is none
     */
    DeviceTurn(String device, Optional<String> uuid) {
        this.device = device;
        this.uuid = uuid.orElse("");
    }

    /**
     * Waits until no other process of this machine measures on the GPU, unless the turn was kept.
     *
     * @return nanoseconds of the wait
     */
    long take() throws InterruptedException {
        if (turn != null) {
            return 0;
        }
        long from = System.nanoTime();
        GpuTurn taken = GpuTurn.take(
                uuid,
                () -> LOG.log(
                        Level.INFO,
                        device + " waits: another process of this machine has it, such as tilewright gate program"));
        turn = taken;
        taken.unlocked().filter(_ -> !warned).ifPresent(reason -> {
            warned = true;
            LOG.log(Level.WARNING, reason);
        });
        return System.nanoTime() - from;
    }

    /** Whether another process waits for the GPU: then nothing more is queued. */
    boolean isWanted() {
        return turn != null && turn.isWanted();
    }

    void giveBack() {
        if (turn != null) {
            turn.close();
            turn = null;
        }
    }
}
