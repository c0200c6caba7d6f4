package dev.tilewright.worker.gpu.cuda;

import java.util.Set;

/** A call of CUDA, or of one of its libraries, did not succeed. */
public final class CudaException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Driver results after which the context is gone and every later call fails too: uncorrectable memory, NVLink and
     * contained errors, and all faults of a running kernel.
     */
    private static final Set<Integer> STICKY =
            Set.of(4, 46, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999);

    /** {@code CUDA_ERROR_OUT_OF_MEMORY}. */
    private static final int OUT_OF_MEMORY = 2;

    private final String call;
    private final int code;
    private final boolean sticky;

    private CudaException(String call, int code, String name, boolean sticky) {
        super(call + ": " + name + " (" + code + ")");
        this.call = call;
        this.code = code;
        this.sticky = sticky;
    }

    /** A result of the driver API. */
    static CudaException ofDriver(String call, int code, String name) {
        return new CudaException(call, code, name, STICKY.contains(code));
    }

    /** A status of another library, such as cublasLt. */
    static CudaException ofLibrary(String call, int status) {
        return new CudaException(call, status, "status", false);
    }

    /** Whether the context is lost: the process must not use the GPU any more. */
    public boolean isSticky() {
        return sticky;
    }

    /**
     * For callers that go on where one call was refused.
     *
     * @throws CudaException itself, if the context is lost
     */
    public void throwIfSticky() {
        if (sticky) {
            throw this;
        }
    }

    /** Whether an allocation failed for want of memory. */
    public boolean isOutOfMemory() {
        return !sticky && code == OUT_OF_MEMORY && call.startsWith("cuMem");
    }
}
