package dev.tilewright.emulator.run;

import java.util.List;

/**
 * The statistics of a run.
 *
 * @param steps warp instructions executed
 * @param multiplyAdds of the matrix instructions
 * @param copies asynchronous copies that landed, one for each destination
 * @param ctas CTAs that ran to their end
 * @param barriers each mbarrier of those CTAs
 * @param clusters that were launched: those that ended, in that order, then those that were running
 * @param taken what CTAs took by asking, beside what they were launched for
 */
public record Statistics(
        long steps,
        long multiplyAdds,
        long copies,
        int ctas,
        List<BarrierPhases> barriers,
        List<ClusterRun> clusters,
        List<Taken> taken) {
    public Statistics {
        barriers = List.copyOf(barriers);
        clusters = List.copyOf(clusters);
        taken = List.copyOf(taken);
    }

    /** The statistics of a run whose clusters do not matter. */
    public Statistics(long steps, long multiplyAdds, long copies, int ctas, List<BarrierPhases> barriers) {
        this(steps, multiplyAdds, copies, ctas, barriers, List.of(), List.of());
    }

    /**
     * A cluster that was launched, and what it asked of clusterlaunchcontrol.
     *
     * @param cluster linear id among the clusters of the grid
     * @param sms of its CTAs, by rank
     * @param stolen clusters that it cancelled, whose work is its own
     * @param failed queries that were answered with failure
     */
    public record ClusterRun(int cluster, List<Integer> sms, int stolen, int failed) {
        public ClusterRun {
            sms = List.copyOf(sms);
        }
    }

    /**
     * The work that a CTA took by a request.
     *
     * @param from {@code clusterlaunchcontrol}, or the word of global memory that threads count up
     * @param cta linear id of the CTA that asked
     * @param values clusters by their linear ids, or numbers drawn; in the order in which they were taken
     */
    public record Taken(String from, int cta, List<Long> values) {
        public Taken {
            values = List.copyOf(values);
        }
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
}
