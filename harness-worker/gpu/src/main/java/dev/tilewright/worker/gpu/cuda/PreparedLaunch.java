package dev.tilewright.worker.gpu.cuda;

/** A launch with all its parameters encoded. Closing gives up its host memory; the device must be done with it. */
public interface PreparedLaunch extends AutoCloseable {

    /** Puts one launch into the stream and returns. */
    void enqueue();

    @Override
    void close();
}
