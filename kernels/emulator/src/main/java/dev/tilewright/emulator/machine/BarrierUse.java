package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.run.Statistics.BarrierPhases;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** How often the mbarriers of a run were gone through, and which of them may wrap. */
public final class BarrierUse {
    private final BitSet loopWaits;
    private final BitSet loopWaitsRun = new BitSet();
    private final List<BarrierPhases> phases = new ArrayList<>();

    /** @param loopWaits indices of the waits that may be come back to */
    BarrierUse(BitSet loopWaits) {
        this.loopWaits = loopWaits;
    }

    /** Records a wait for an mbarrier, for the wrap counts of rings. */
    public void waited(int pc, Mbarrier barrier) {
        if (loopWaits.get(pc)) {
            loopWaitsRun.set(pc);
            barrier.waitedForInLoop();
        }
    }

    /** Collects the barriers of a CTA that has ended. */
    void ended(int cta, Iterable<Mbarrier> barriers) {
        for (Mbarrier barrier : barriers) {
            phases.add(new BarrierPhases(barrier.name(), cta, barrier.phase(), barrier.ring()));
        }
    }

    /** The phases of the barriers of CTAs that have ended. */
    List<BarrierPhases> phases() {
        // A wait in a loop that never ran might have been for any barrier.
        boolean allRan = loopWaitsRun.equals(loopWaits);
        return allRan ? phases : phases.stream().map(BarrierPhases::asRing).toList();
    }
}
