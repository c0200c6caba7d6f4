package dev.tilewright.worker.gpu.cuda;

import java.util.List;
import java.util.Optional;

/** The processes on a GPU, as its driver knows them; what cannot be read is empty. */
public interface GpuProcesses {

    /**
     * A process with a context on the GPU.
     *
     * @param pid as the driver numbers it, which in a container may not be the number that the process has there
     * @param name of its program; its number where that is not known
     * @param bytes of the GPU's memory that it holds; 0 where that is not known
     */
    record Resident(long pid, String name, long bytes) {}

    /**
     * A sample of what a process computed.
     *
     * @param smPercent how much of the time its kernels ran, in percent
     */
    record Use(long pid, int smPercent) {}

    /** The processes with a context, this one included where it can be seen. */
    default Optional<List<Resident>> residents() {
        return Optional.empty();
    }

    /**
     * The processes that computed since a moment; an idle process may be missing. The driver takes samples some times a
     * second: the last quarter of a second may be missing.
     *
     * @param micros since the epoch
     */
    default Optional<List<Use>> usedSince(long micros) {
        return Optional.empty();
    }

    /** Nothing can be read. */
    GpuProcesses UNKNOWN = new GpuProcesses() {};
}
