package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.barrier.Mbarrier;

/** A copy into the shared memory of one CTA, from its issue until it is overwritten. */
public final class Landing {
    private final Object origin;
    private final Mbarrier barrier;
    private final int phase;
    private boolean landed;

    /**
     * A copy just issued.
     *
     * @param origin who issued it; its text is the evidence
     * @param barrier on which its bytes are counted
     */
    public Landing(Object origin, Mbarrier barrier) {
        this.origin = origin;
        this.barrier = barrier;
        phase = barrier.phase();
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
        return "copied by " + origin + ", which " + (landed ? "has landed but nobody waited for" : "is under way on")
                + " phase " + phase + " of " + barrier.state();
    }
}
