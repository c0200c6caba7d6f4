package dev.tilewright.ptx.type;

/** The state space of a variable. {@code GENERIC} is written as nothing. */
public enum StateSpace implements Spelled {
    GENERIC(""),
    PARAM(".param"),
    GLOBAL(".global"),
    /** The CTA's own shared memory. */
    SHARED(".shared::cta"),
    /** The shared memory of any CTA of the cluster. */
    SHARED_CLUSTER(".shared::cluster"),
    LOCAL(".local"),
    /** Constant memory, written by the host. */
    CONST(".const");

    private final String ptx;

    StateSpace(String ptx) {
        this.ptx = ptx;
    }

    @Override
    public String ptx() {
        return ptx;
    }
}
