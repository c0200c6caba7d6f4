package dev.tilewright.worker.measure;

import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.device.cuda.GpuEvent;

/**
 * Adds up for how long the GPU was busy, on its own clock: by pairs of events around what is put into the stream, and
 * by what the {@link Stopwatch} sees. Spinning behind a gate and flushing L2 are counted apart: they keep the GPU busy,
 * but with nothing that anybody asked for.
 */
public final class BusyMeter implements AutoCloseable {

    private final Gpu gpu;
    private final EventPool events;
    private int marks;
    private double busyNs;
    private double spinFlushNs;

    public BusyMeter(Gpu gpu) {
        this.gpu = gpu;
        this.events = new EventPool(gpu);
    }

    /**
     * Time on the GPU, in nanoseconds.
     *
     * @param busyNs at work: candidates, fills, references and comparisons
     * @param spinFlushNs behind gates and flushing L2
     */
    public record Usage(double busyNs, double spinFlushNs) {}

    /**
     * Counts the time from the first to the last of what is put into the stream; none of it may wait for the stream, or
     * count by itself.
     */
    public void busy(Runnable queueing) {
        GpuEvent start = events.get(marks);
        GpuEvent end = events.get(marks + 1);
        start.record();
        queueing.run();
        end.record();
        marks += 2;
    }

    /** Counts what was timed otherwise. */
    void add(double busy, double spinFlush) {
        busyNs += busy;
        spinFlushNs += spinFlush;
    }

    /** Waits until the stream is empty, says how much there was since the last time, and begins anew. */
    public Usage take() {
        gpu.synchronize();
        for (int i = 0; i < marks; i += 2) {
            busyNs += events.get(i + 1).nanosSince(events.get(i));
        }
        Usage usage = new Usage(busyNs, spinFlushNs);
        forget();
        return usage;
    }

    /** Begins anew. */
    public void forget() {
        marks = 0;
        busyNs = 0;
        spinFlushNs = 0;
    }

    @Override
    public void close() {
        events.close();
    }
}
