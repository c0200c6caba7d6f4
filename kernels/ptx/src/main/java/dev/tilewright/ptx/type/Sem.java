package dev.tilewright.ptx.type;

/** Memory ordering, the first qualifier of a synchronising access. PTX 8.4. */
public enum Sem implements Spelled {
    /** No ordering with other threads; written as nothing. */
    WEAK(""),
    VOLATILE(".volatile"),
    RELAXED(".relaxed"),
    ACQUIRE(".acquire"),
    RELEASE(".release"),
    ACQ_REL(".acq_rel"),
    SC(".sc");

    private final String ptx;

    Sem(String ptx) {
        this.ptx = ptx;
    }

    @Override
    public String ptx() {
        return ptx;
    }
}
