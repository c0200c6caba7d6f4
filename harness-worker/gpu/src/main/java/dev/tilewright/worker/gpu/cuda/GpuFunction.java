package dev.tilewright.worker.gpu.cuda;

/** An entry of a loaded module. */
public interface GpuFunction {

    /** Attributes, as the driver has them. */
    Attributes attributes();

    /**
     * Read back from the driver.
     *
     * @param registers registers a thread
     * @param localBytes local memory of a thread: a frame on the stack, spills included
     * @param clusterSize CTAs of the cluster that the entry requires; 1 if it requires none
     */
    record Attributes(int registers, int localBytes, int clusterSize) {}
}
