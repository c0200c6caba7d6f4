package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.measure.Timed;
import org.jspecify.annotations.Nullable;

/**
 * The anchor among arms of which each may be to blame for a fault.
 *
 * @param atWork is told each time before it is launched
 */
record Anchored(Arm arm, Runnable atWork) implements Arm {

    /**
     * How much faster an arm is than the anchor in the same blocks; {@code null} without one, or if it is the anchor.
     */
    static @Nullable Ratio ratio(Timed timed, Arm arm, @Nullable Arm anchor, Mode mode) {
        return anchor == null || anchor == arm
                ? null
                : timed.paired(arm.name(), anchor.name(), mode).ratio();
    }

    @Override
    public String name() {
        return arm.name();
    }

    @Override
    public int sets() {
        return arm.sets();
    }

    @Override
    public void enqueue(int set) {
        atWork.run();
        arm.enqueue(set);
    }

    @Override
    public int entriesPerLaunch() {
        return arm.entriesPerLaunch();
    }
}
