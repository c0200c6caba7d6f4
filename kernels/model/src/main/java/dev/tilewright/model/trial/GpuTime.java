package dev.tilewright.model.trial;

/**
 * Names under which a worker reports what the GPU was at during a trial, a final or a comparison, beside the phases of
 * its host; nanoseconds.
 */
public final class GpuTime {

    /** It worked for it. */
    public static final String BUSY = "gpuBusy";

    /** It was held back, or its L2 was flushed, so that times mean something. */
    public static final String SPIN_FLUSH = "gpuSpinFlush";

    /** It had nothing to do; followed by what its runner was at. */
    public static final String WAIT = "gpuWait.";

    /** Of {@link #WAIT}: its runner had no request, and the worker waited for the assembler. */
    public static final String ASSEMBLER = "assembler";

    /** Of {@link #WAIT}: its runner had no request, for any other reason. */
    public static final String REQUEST = "request";

    private GpuTime() {}

    /** Whether a time is one of these, and not a phase of the host. */
    public static boolean isOfGpu(String name) {
        return name.equals(BUSY) || name.equals(SPIN_FLUSH) || name.startsWith(WAIT);
    }
}
