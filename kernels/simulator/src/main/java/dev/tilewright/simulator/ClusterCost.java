package dev.tilewright.simulator;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.parameter.ClusterOrder;

/**
 * The clusters of a kernel, as far as they cost time.
 *
 * @param m CTAs along M
 * @param n CTAs along N
 * @param multicastA whether CTAs load rows of A for each other
 * @param multicastB rows of B likewise
 * @param goesByGpc whether clusters take tiles GPC by GPC, and not as launched
 */
record ClusterCost(int m, int n, boolean multicastA, boolean multicastB, boolean goesByGpc) {

    static ClusterCost of(dev.tilewright.space.sm90.ClusterPlan plan) {
        return new ClusterCost(
                plan.m(),
                plan.n(),
                plan.multicast().of(OperandRole.A),
                plan.multicast().of(OperandRole.B),
                plan.order() == ClusterOrder.GPC);
    }

    static ClusterCost of(dev.tilewright.space.sm100.ClusterPlan plan) {
        return new ClusterCost(plan.m(), plan.n(), plan.multicast(), plan.multicast(), false);
    }

    /** CTAs of a cluster. */
    int size() {
        return m * n;
    }
}
