package dev.tilewright.emulator.order;

import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;

/**
 * How an instruction accesses memory. PTX 8.4.
 *
 * @param what it is, in a word or two
 * @param strong whether it may meet other strong accesses without an order between them
 * @param scope of a strong access, or of an arrival, a wait or a fence
 * @param acquires whether what it reads is acquired
 * @param releases whether it releases
 * @param updates whether it reads and writes in one step
 * @param observes whether what it reads counts: that of a reduction does not. PTX 8.11.1
 * @param coherent whether it sees what the kernel itself wrote; ld.global.nc may not
 * @param polls whether a loop that does nothing else repeats it, so that an old value does no harm
 */
public record Manner(
        String what,
        boolean strong,
        Scope scope,
        boolean acquires,
        boolean releases,
        boolean updates,
        boolean observes,
        boolean coherent,
        boolean polls) {
    private static final Manner WEAK = weak("access");

    /** Neither strong nor ordering. */
    public static Manner weak(String what) {
        return new Manner(what, false, Scope.NONE, false, false, false, true, true, false);
    }

    /** A load through the non-coherent path. */
    public static Manner nonCoherent(String what) {
        return new Manner(what, false, Scope.NONE, false, false, false, true, false, false);
    }

    public static Manner other() {
        return WEAK;
    }

    /** A load or store: weak by default, volatile is relaxed for the system. */
    public static Manner access(String what, Ordering ordering) {
        return switch (ordering.sem()) {
            case WEAK -> weak(what);
            case VOLATILE -> new Manner(what, true, Scope.SYS, false, false, false, true, true, false);
            case RELAXED, ACQUIRE, RELEASE, ACQ_REL, SC -> strong(what, ordering, false);
        };
    }

    /** An atomic: relaxed for the GPU by default. */
    public static Manner atomic(String what, Ordering ordering) {
        return strong(what, ordering.sem() == Sem.WEAK ? Ordering.relaxed(Scope.GPU) : ordering, true);
    }

    /** A reduction: an atomic that does not tell what it read. */
    public static Manner reduction(String what, Ordering ordering) {
        Manner atomic = atomic(what, ordering);
        return new Manner(what, true, atomic.scope, false, atomic.releases, true, false, true, false);
    }

    /** An arrival: releases to the CTA by default. */
    public static Manner arrival(String what, Ordering ordering) {
        return strong(what, ordering.sem() == Sem.WEAK ? Ordering.release(Scope.CTA) : ordering, true);
    }

    /** A wait: acquires from the CTA by default. */
    public static Manner wait(String what, Ordering ordering) {
        return strong(what, ordering.sem() == Sem.WEAK ? Ordering.acquire(Scope.CTA) : ordering, false);
    }

    private static Manner strong(String what, Ordering ordering, boolean updates) {
        Sem sem = ordering.sem();
        boolean both = sem == Sem.ACQ_REL || sem == Sem.SC;
        return new Manner(
                what,
                true,
                ordering.scope(),
                both || sem == Sem.ACQUIRE,
                both || sem == Sem.RELEASE,
                updates,
                true,
                true,
                false);
    }

    /** The same, repeated by a loop that does nothing else. */
    public Manner polling() {
        return new Manner(what, strong, scope, acquires, releases, updates, observes, coherent, true);
    }

    /** Whether a load takes a value for what it is, by no order of its own and with no second look. */
    boolean takesRelaxed() {
        return strong && !acquires && !updates && !polls;
    }

    /** Whether an access of this scope by one thread includes a thread elsewhere. PTX 8.5. */
    static boolean reaches(Scope scope, Agent from, Agent to) {
        return switch (scope) {
            case NONE -> false;
            case CTA -> from.cta() == to.cta();
            case CLUSTER -> from.cluster() == to.cluster();
            case GPU, SYS -> true;
        };
    }

    /** The narrowest scope in which a thread reaches the other. */
    static Scope needed(Agent from, Agent to) {
        if (from.cta() == to.cta()) {
            return Scope.CTA;
        }
        return from.cluster() == to.cluster() ? Scope.CLUSTER : Scope.GPU;
    }
}
