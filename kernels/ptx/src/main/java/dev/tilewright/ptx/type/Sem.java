package dev.tilewright.ptx.type;

/** Memory ordering, the first qualifier of a synchronising access. PTX 8.4. */
public enum Sem implements Suffix {
    /** No ordering with other threads; written as nothing. */
    WEAK,
    VOLATILE,
    RELAXED,
    ACQUIRE,
    RELEASE,
    ACQ_REL,
    SC
}
