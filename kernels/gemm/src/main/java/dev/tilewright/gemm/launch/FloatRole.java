package dev.tilewright.gemm.launch;

/** The meaning of a float that is passed to a kernel. */
public enum FloatRole {
    /** The product of the per-tensor scales of 8-bit inputs. */
    SCALE
}
