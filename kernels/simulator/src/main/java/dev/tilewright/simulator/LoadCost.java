package dev.tilewright.simulator;

import dev.tilewright.space.parameter.L2Hint;
import dev.tilewright.space.parameter.LoadStart;

/**
 * The loads of a kernel, as far as they cost time.
 *
 * @param tileK depth of a stage, in elements
 * @param stages slots of the load ring
 * @param swizzle bytes of a row of A and B that lie together in shared memory, and that a load brings at a time; 128 on
 *     {@code sm100}, where no sweep shows what less would cost
 * @param l2Hint which operand L2 is asked to keep
 * @param atTicks whether blocks are asked for at ticks of the GPU's timer
 */
record LoadCost(int tileK, int stages, int swizzle, L2Hint l2Hint, boolean atTicks) {

    private static final int WIDEST_SWIZZLE = 128;

    static LoadCost of(dev.tilewright.space.sm90.LoadPlan plan) {
        return new LoadCost(plan.tileK(), plan.stages(), plan.swizzle(), plan.l2Hint(), plan.start() == LoadStart.TICK);
    }

    static LoadCost of(dev.tilewright.space.sm100.LoadPlan plan) {
        return new LoadCost(plan.tileK(), plan.stages(), WIDEST_SWIZZLE, L2Hint.NONE, false);
    }
}
