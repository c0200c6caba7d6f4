package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.order.Manner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A copy into the shared memory of one CTA, from its issue until it is overwritten. Who may read it: whoever has waited
 * for a phase of a barrier that tracks it; for copies of single threads also that thread, once it has waited.
 */
public final class Landing {
    private enum Kind {
        COPY,
        REDUCTION,
        /** A st.async, or an answer of try_cancel. */
        STORE,
        /** A cp.async. */
        OF_THREAD
    }

    /** A phase that ends when the copy has landed. */
    private record Phase(Mbarrier barrier, int number) {}

    private final Evidence origin;
    private final Access access;
    private final Kind kind;
    private final List<Phase> phases = new ArrayList<>(1);
    /** Reductions into the same bytes that nobody had waited for when this one was issued. */
    private final Set<Landing> joined = new HashSet<>();

    private boolean landed;
    private boolean awaited;

    private Landing(Evidence origin, Access access, Kind kind) {
        this.origin = origin;
        this.access = access;
        this.kind = kind;
    }

    /**
     * A copy of the asynchronous proxy, just issued.
     *
     * @param manner of the instruction
     * @param evidence who issued it
     * @param from CTA of the store that it is; the barrier's own for copies
     * @param barrier on which its bytes are counted
     */
    public static Landing onBarrier(Manner manner, Evidence evidence, int from, Mbarrier barrier) {
        return onBarrier(manner, evidence, from, barrier, Kind.COPY);
    }

    /** As above for a reduction: it needs what is there, and goes on beside other reductions. */
    public static Landing ofReduction(Manner manner, Evidence evidence, int from, Mbarrier barrier) {
        return onBarrier(manner, evidence, from, barrier, Kind.REDUCTION);
    }

    /** A st.async or an answer of try_cancel, just issued; for answers the fences have a rule of their own. */
    public static Landing noCopy(Manner manner, Evidence evidence, int from, Mbarrier barrier) {
        return onBarrier(manner, evidence, from, barrier, Kind.STORE);
    }

    private static Landing onBarrier(Manner manner, Evidence evidence, int from, Mbarrier barrier, Kind kind) {
        Access access = barrier.order().copy(barrier.phase(), from, manner, evidence);
        Landing landing = new Landing(evidence, access, kind);
        landing.track(barrier);
        return landing;
    }

    /** A cp.async, just issued: a write of its thread, only later. */
    public static Landing ofThread(Evidence origin, Access access) {
        return new Landing(origin, access, Kind.OF_THREAD);
    }

    /** The current phase of the barrier cannot end before the copy has landed. */
    public void track(Mbarrier barrier) {
        phases.add(new Phase(barrier, barrier.phase()));
    }

    /** Name of the barrier on which it counts, if there is one. */
    Optional<String> barrier() {
        return phases.stream().findFirst().map(phase -> phase.barrier.name());
    }

    /** Whether it writes as its thread does, so that asynchronous accesses need a fence behind it. */
    boolean generic() {
        return kind == Kind.OF_THREAD;
    }

    /** Whether bulk data goes over what is there, so that threads which read that need a fence before it. */
    boolean goesOver() {
        return kind == Kind.COPY || kind == Kind.REDUCTION;
    }

    /** The thread that issued it, and where. */
    Evidence origin() {
        return origin;
    }

    /** Whether it changes the bytes that are there instead of replacing them. */
    public boolean reduces() {
        return kind == Kind.REDUCTION;
    }

    /** A thread that waits for this one must have waited for the other too. */
    void join(Landing before) {
        joined.add(before);
    }

    /** Its writing. */
    public Access access() {
        return access;
    }

    void land() {
        landed = true;
    }

    /** Its thread has waited for it. */
    public void await() {
        awaited = true;
    }

    /** Whether somebody has waited for it. */
    public boolean observed() {
        if (awaited) {
            return true;
        }
        joined.removeIf(Landing::observed);
        return joined.isEmpty() && phases.stream().anyMatch(phase -> phase.barrier.observed() >= phase.number);
    }

    @Override
    public String toString() {
        String by = "copied by " + origin.site() + ", which ";
        if (phases.isEmpty()) {
            return by + (landed ? "has landed but its thread has not waited for it" : "is under way");
        }
        Phase phase = phases.getFirst();
        return by + (landed ? "has landed but nobody waited for" : "is under way on") + " phase " + phase.number
                + " of " + phase.barrier.state();
    }
}
