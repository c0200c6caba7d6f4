package dev.tilewright.ptx.type;

/** Ordering and scope, which PTX takes only as a pair. */
public record Ordering(Sem sem, Scope scope) {
    /** The instruction's default, written as nothing. */
    public static final Ordering DEFAULT = new Ordering(Sem.WEAK, Scope.NONE);

    public static final Ordering VOLATILE = new Ordering(Sem.VOLATILE, Scope.NONE);

    public Ordering {
        boolean unscoped = sem == Sem.WEAK || sem == Sem.VOLATILE;
        if (unscoped != (scope == Scope.NONE)) {
            throw new IllegalArgumentException("ordering: sem and scope come as a pair, got " + sem + " and " + scope);
        }
    }

    public static Ordering relaxed(Scope scope) {
        return new Ordering(Sem.RELAXED, scope);
    }

    public static Ordering acquire(Scope scope) {
        return new Ordering(Sem.ACQUIRE, scope);
    }

    public static Ordering release(Scope scope) {
        return new Ordering(Sem.RELEASE, scope);
    }

    public static Ordering acqRel(Scope scope) {
        return new Ordering(Sem.ACQ_REL, scope);
    }

    public String ptx() {
        return sem.ptx() + scope.ptx();
    }
}
