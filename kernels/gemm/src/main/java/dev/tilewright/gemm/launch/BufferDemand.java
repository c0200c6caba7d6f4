package dev.tilewright.gemm.launch;

/**
 * A buffer that a kernel needs beside A, B and D.
 *
 * @param bytes its size
 * @param zero when it must be zero; zeroing before each launch is part of the timed work
 */
public record BufferDemand(BufferRole role, long bytes, Zero zero) {

    /** When a buffer must be zero. */
    public enum Zero {
        NEVER,
        /** Once before the first launch; the kernel leaves it zero. After a failed launch it is zeroed again. */
        ONCE,
        EACH_LAUNCH
    }
}
