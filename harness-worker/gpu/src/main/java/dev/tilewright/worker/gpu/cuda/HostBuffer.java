package dev.tilewright.worker.gpu.cuda;

/** Host memory that the device copies into by itself, see {@link Gpu#fetch}. Closing frees it. */
public interface HostBuffer extends AutoCloseable {

    /** Size in bytes. */
    long bytes();

    /** Copies from an offset into an array, as many bytes as that has. */
    void read(long offset, byte[] target);

    @Override
    void close();
}
