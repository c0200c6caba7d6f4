package dev.tilewright.worker.gpu.cuda;

/** Memory on the device. Closing frees it. */
public interface DeviceBuffer extends AutoCloseable {

    /** Address of its first byte on the device, a multiple of 256. */
    long address();

    /** Size in bytes. */
    long bytes();

    @Override
    void close();
}
