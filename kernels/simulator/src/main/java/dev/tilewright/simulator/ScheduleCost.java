package dev.tilewright.simulator;

import dev.tilewright.space.gemm.RingPlan;
import dev.tilewright.space.parameter.LaunchConfig;
import dev.tilewright.space.parameter.LaunchOverlap;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.parameter.Throttle;

/**
 * The schedule of a kernel, as far as it costs time.
 *
 * @param launch order of the tiles, and grid
 * @param ring through which a dynamic scheduler hands out tiles
 * @param overlaps whether a launch starts while the one before it ends
 */
record ScheduleCost(Scheduler scheduler, LaunchConfig launch, RingPlan ring, boolean overlaps) {

    static ScheduleCost of(dev.tilewright.space.sm90.SchedulePlan plan, LaunchConfig launch) {
        return new ScheduleCost(plan.scheduler(), launch, plan.ring(), plan.launchOverlap() != LaunchOverlap.NONE);
    }

    static ScheduleCost of(dev.tilewright.space.sm100.SchedulePlan plan, LaunchConfig launch) {
        return new ScheduleCost(plan.scheduler(), launch, plan.ring(), false);
    }

    /** Tiles that a cluster asks for ahead. */
    int queriesInFlight() {
        return scheduler.dynamic() ? ring.prefetch() : 1;
    }

    /** Whether it asks only when a tile is multiplied or loaded, and not when one begins. */
    boolean asksAfterMainloop() {
        return scheduler.dynamic()
                && switch (ring.throttle()) {
                    case NONE, LOAD -> false;
                    case LOADED, MAINLOOP -> true;
                };
    }

    /**
     * Whether it asks when the last block of a tile is on its way, so that the blocks in the stages hide the answer.
     */
    boolean asksWhenLoaded() {
        return scheduler.dynamic() && ring.throttle() == Throttle.LOADED;
    }
}
