package dev.tilewright.ptx.type;

/** The threads that observe an ordering. PTX 8.5. */
public enum Scope implements Spelled {
    /** Written as nothing: the instruction's default, or an access that has no scope. */
    NONE(""),
    CTA(".cta"),
    CLUSTER(".cluster"),
    GPU(".gpu"),
    SYS(".sys");

    private final String ptx;

    Scope(String ptx) {
        this.ptx = ptx;
    }

    @Override
    public String ptx() {
        return ptx;
    }
}
