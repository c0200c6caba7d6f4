package dev.tilewright.worker.gpu.cuda;

/** A mark in the stream with a time stamp. */
public interface GpuEvent extends AutoCloseable {

    /** Puts the mark into the stream. */
    void record();

    /** Whether the device has passed the mark. */
    boolean isReached();

    /** Waits until the device has passed it. */
    void await();

    /** Time on the device from an earlier mark to this one, in nanoseconds; both must have been reached. */
    double nanosSince(GpuEvent earlier);

    @Override
    void close();
}
