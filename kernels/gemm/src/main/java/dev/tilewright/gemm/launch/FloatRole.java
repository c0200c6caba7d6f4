package dev.tilewright.gemm.launch;

/** What a float that is passed to a kernel stands for. */
public enum FloatRole {
    /** The product of the per-tensor scales of 8-bit inputs. */
    SCALE
}
