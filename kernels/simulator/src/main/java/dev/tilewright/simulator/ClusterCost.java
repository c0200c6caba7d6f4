package dev.tilewright.simulator;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.parameter.ClusterOrder;
import dev.tilewright.space.sm90.ClusterPlan;
import dev.tilewright.space.sm90.Sm90Config;

/**
 * The clusters of a kernel, as far as they cost time.
 *
 * @param m CTAs along M
 * @param n CTAs along N
 * @param parts CTAs along K, which share the depth of a tile
 * @param multicastA whether CTAs load rows of A for each other
 * @param multicastB rows of B likewise
 * @param goesByGpc whether clusters take tiles GPC by GPC, and not as launched
 */
record ClusterCost(int m, int n, int parts, boolean multicastA, boolean multicastB, boolean goesByGpc) {

    static ClusterCost of(Sm90Config config) {
        ClusterPlan plan = config.cluster();
        return new ClusterCost(
                plan.m(),
                plan.n(),
                config.split().parts(),
                plan.multicast().of(OperandRole.A),
                plan.multicast().of(OperandRole.B),
                plan.order() == ClusterOrder.GPC);
    }

    static ClusterCost of(dev.tilewright.space.sm100.ClusterPlan plan) {
        return new ClusterCost(plan.m(), plan.n(), 1, plan.multicast(), plan.multicast(), false);
    }

    /** CTAs of a cluster. */
    int size() {
        return tiles() * parts;
    }

    /** Tiles of a cluster. */
    int tiles() {
        return m * n;
    }
}
