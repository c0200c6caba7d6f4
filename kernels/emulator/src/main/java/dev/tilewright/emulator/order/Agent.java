package dev.tilewright.emulator.order;

/**
 * Somebody whose accesses are counted: an access is known by its agent and the agent's epoch at the time. What a clock
 * knows of an agent is an epoch up to which its accesses happened before.
 *
 * @param kind decides what an epoch counts
 * @param cluster linear id of the cluster it belongs to
 * @param cta linear id of the CTA it belongs to
 * @param index among the agents of the cluster
 * @param lanes of a warp, which know different things; 1 for agents without lanes
 * @param name for people
 */
public record Agent(Kind kind, int cluster, int cta, int index, int lanes, String name) {
    /** The kind of an agent, which decides what its epochs count. */
    public enum Kind {
        /** The lanes of a warp; epochs end when a lane releases. */
        WARP,
        /** The mbarrier.inits of a warp, which fence.mbarrier_init releases alone; epochs of the warp. */
        INITS,
        /** Copies counted on an mbarrier; phases. */
        COPIES,
        /** cp.asyncs of the lanes of a warp; the warp's cp.asyncs in order. */
        THREAD_COPIES,
        /** Stores of other CTAs (st.async) counted on an mbarrier; phases. */
        REMOTE_STORES,
        /** Products of a warpgroup; wgmmas in order. */
        PRODUCTS,
        /** Reading of shared memory by the bulk stores of a thread; bulk groups. */
        BULK_READS,
        /** Writing of global memory by the bulk stores of a thread; bulk groups. */
        BULK_WRITES,
        /** tcgen05.mma and .cp of a thread as work that is done; in order. */
        TENSOR_WORK,
        /** The same as work that is issued: enough for what the tensor core keeps in order. */
        TENSOR_ISSUE,
        /** tcgen05.ld of the lanes of a warp, in order, once they have fenced them. */
        TENSOR_LOADS,
        /** tcgen05.st of the lanes of a warp, in order, once they have fenced them. */
        TENSOR_STORES,
        /** All that the grid ahead of a launch that starts early does; 1. */
        GRID_AHEAD,
        /** tcgen05.ld of a warp that are over, fenced or not. */
        TENSOR_LOADS_OVER,
        /** tcgen05.st of a warp that are over, fenced or not. */
        TENSOR_STORES_OVER
    }

    /** The synchronisation by which another agent comes behind this epoch. */
    String howToKnow(int epoch) {
        return switch (kind) {
            case WARP, INITS -> "";
            case COPIES, REMOTE_STORES ->
                "an acquiring wait for phase " + (epoch - 1) + " of " + name + " comes before it";
            case THREAD_COPIES ->
                "its thread waited for it (cp.async.wait_group or wait_all, then a barrier), or that an acquiring wait"
                        + " for an mbarrier to which it sent cp.async.mbarrier.arrive comes before it";
            case PRODUCTS -> "a wgmma.wait_group for it, by " + name + ", comes before it";
            case BULK_READS -> "a cp.async.bulk.wait_group(.read) for it, by " + name + ", comes before it";
            case TENSOR_WORK, TENSOR_ISSUE ->
                "an acquiring wait for an mbarrier to which " + name + " sent a tcgen05.commit behind it, then a"
                        + " tcgen05.fence::after_thread_sync, comes before it";
            case TENSOR_LOADS, TENSOR_LOADS_OVER ->
                "a tcgen05.wait::ld of " + name + ", and towards other threads a tcgen05.fence::before_thread_sync,"
                        + " a synchronisation and a tcgen05.fence::after_thread_sync, come before it";
            case TENSOR_STORES, TENSOR_STORES_OVER ->
                "a tcgen05.wait::st of " + name + ", and towards other threads a tcgen05.fence::before_thread_sync,"
                        + " a synchronisation and a tcgen05.fence::after_thread_sync, come before it";
            case GRID_AHEAD -> "a griddepcontrol.wait comes before it";
            case BULK_WRITES -> "a cp.async.bulk.wait_group (not .read) for it, by " + name + ", comes before it";
        };
    }
}
