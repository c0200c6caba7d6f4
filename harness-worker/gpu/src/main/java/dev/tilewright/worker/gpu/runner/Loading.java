package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.gpu.cuda.CudaException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of loading a kernel: a refusal belongs to the trial of the kernel, not to the one that ran while it was
 * loaded.
 */
final class Loading implements AutoCloseable {

    /** There is no kernel to load. */
    static final Loading NOTHING = new Loading(null, null);

    private final @Nullable LoadedKernel kernel;
    private final @Nullable RuntimeException refusal;

    private Loading(@Nullable LoadedKernel kernel, @Nullable RuntimeException refusal) {
        this.kernel = kernel;
        this.refusal = refusal;
    }

    /**
     * Loads.
     *
     * @throws CudaException if the device has faulted, which is the fault of what runs on it
     */
    static Loading of(Supplier<LoadedKernel> load) {
        try {
            return new Loading(load.get(), null);
        } catch (CudaException | IllegalArgumentException refused) {
            if (refused instanceof CudaException failure && failure.isSticky()) {
                throw failure;
            }
            return new Loading(null, refused);
        }
    }

    /** Whether it is loaded. */
    boolean isThere() {
        return kernel != null;
    }

    /**
     * The kernel.
     *
     * @throws RuntimeException as the driver refused it
     */
    LoadedKernel get() {
        if (refusal != null) {
            throw refusal;
        }
        if (kernel == null) {
            throw new IllegalStateException("there is no kernel to load");
        }
        return kernel;
    }

    @Override
    public void close() {
        if (kernel != null) {
            kernel.close();
        }
    }
}
