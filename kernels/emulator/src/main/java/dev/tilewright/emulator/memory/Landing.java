package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.order.Manner;

/** A copy into the shared memory of one CTA, from its issue until it is overwritten. */
public final class Landing {
    private final Evidence origin;
    private final Access access;
    private final Mbarrier barrier;
    private final int phase;
    private boolean landed;

    /**
     * A copy just issued.
     *
     * @param origin who issued it; its text is the evidence
     * @param from CTA of the store that it is; the barrier's own for copies
     * @param barrier on which its bytes are counted
     */
    public Landing(Evidence origin, int from, Manner manner, Mbarrier barrier) {
        this.origin = origin;
        access = barrier.order().copy(barrier.phase(), from, manner, origin);
        this.barrier = barrier;
        phase = barrier.phase();
    }

    /** Its writing. */
    public Access access() {
        return access;
    }

    void land() {
        landed = true;
    }

    /** Whether some thread of the CTA has waited for the phase that the copy belongs to. */
    boolean observed() {
        return barrier.observed() >= phase;
    }

    @Override
    public String toString() {
        return "copied by " + origin.site() + ", which " + (landed ? "has landed but nobody waited for" : "is under way on")
                + " phase " + phase + " of " + barrier.state();
    }
}
