package dev.tilewright.ptx.type;

/** Cache behaviour of a plain load or store. PTX 9.7.9.1. */
public enum CacheOperator implements Suffix {
    NONE,
    /** Cache at all levels (loads). */
    CA,
    /** Cache in L2 only. */
    CG,
    /** Streaming, likely used once. */
    CS,
    /** Last use of a line (loads). */
    LU,
    /** Do not cache, fetch again (loads). */
    CV,
    /** Write back (stores). */
    WB,
    /** Write through (stores). */
    WT,
    /** Read-only data through the texture path: {@code ld.global.nc}. */
    NC
}
