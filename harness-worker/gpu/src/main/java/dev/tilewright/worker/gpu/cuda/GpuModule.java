package dev.tilewright.worker.gpu.cuda;

/** A loaded module. Closing unloads it. */
public interface GpuModule extends AutoCloseable {

    /**
     * An entry of the module, ready for dynamic shared memory of this size.
     *
     * @throws CudaException if there is no such entry, or the size is refused
     */
    GpuFunction function(String entry, int dynamicSharedBytes);

    /**
     * Address of a variable of the module.
     *
     * @throws CudaException if there is no such variable
     */
    long variable(String name);

    @Override
    void close();
}
