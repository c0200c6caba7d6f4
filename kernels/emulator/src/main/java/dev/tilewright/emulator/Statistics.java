package dev.tilewright.emulator;

import java.util.List;

/**
 * What a run did.
 *
 * @param steps warp instructions executed
 * @param multiplyAdds of the matrix instructions
 * @param copies asynchronous copies that landed, one for each destination
 * @param ctas CTAs that ran to their end
 * @param barriers each mbarrier of those CTAs
 */
public record Statistics(long steps, long multiplyAdds, long copies, int ctas, List<BarrierPhases> barriers) {
    public Statistics {
        barriers = List.copyOf(barriers);
    }

    /**
     * How often an mbarrier was gone through.
     *
     * @param barrier its name: region and index as the entry declares them, or the address
     * @param cta linear id of the CTA in whose shared memory it lies
     * @param phases phases that it had completed when the CTA exited
     * @param ring whether it may wrap: a wait for it is in a loop that does more than ask again. True as well while
     *     some wait in a loop was never executed, for nobody knows which barrier that is for
     */
    public record BarrierPhases(String barrier, int cta, int phases, boolean ring) {
        /** The same as one that may wrap. */
        public BarrierPhases asRing() {
            return new BarrierPhases(barrier, cta, phases, true);
        }
    }

    /** The most phases that an mbarrier completed: how often its ring wrapped. */
    public int barrierPhases() {
        return barriers.stream().mapToInt(BarrierPhases::phases).max().orElse(0);
    }
}
