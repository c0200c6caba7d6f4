package dev.tilewright.ptx.type;

/** The threads that observe an ordering. PTX 8.5. */
public enum Scope implements Suffix {
    /** Written as nothing: the instruction's default, or an access that has no scope. */
    NONE,
    CTA,
    CLUSTER,
    GPU,
    SYS
}
