package dev.tilewright.ptx.type;

/** Cache behaviour of a plain load or store. PTX 9.7.9.1. */
public enum CacheOperator implements Spelled {
    NONE(""),
    /** Cache at all levels (loads). */
    CA(".ca"),
    /** Cache in L2 only. */
    CG(".cg"),
    /** Streaming, likely used once. */
    CS(".cs"),
    /** Last use of a line (loads). */
    LU(".lu"),
    /** Do not cache, fetch again (loads). */
    CV(".cv"),
    /** Write back (stores). */
    WB(".wb"),
    /** Write through (stores). */
    WT(".wt"),
    /** Read-only data through the texture path: {@code ld.global.nc}. */
    NC(".nc");

    private final String ptx;

    CacheOperator(String ptx) {
        this.ptx = ptx;
    }

    @Override
    public String ptx() {
        return ptx;
    }
}
