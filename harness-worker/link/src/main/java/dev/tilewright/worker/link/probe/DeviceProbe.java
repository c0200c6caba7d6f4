package dev.tilewright.worker.link.probe;

import java.util.List;

/** Looks which GPUs this machine has. */
public interface DeviceProbe {

    /** Looks; never throws because of what it finds. */
    Finding probe();

    /** The result of a probe. */
    sealed interface Finding {}

    /** There is no NVIDIA driver library on this machine. */
    record NoDriver() implements Finding {}

    /** The driver library is there, but cannot be used. */
    record Failing(String reason) implements Finding {}

    /** GPUs that the driver shows, at least one, in its order. */
    record Found(List<Gpu> gpus) implements Finding {
        public Found {
            gpus = List.copyOf(gpus);
            if (gpus.isEmpty()) {
                throw new IllegalArgumentException("a driver without a GPU is a failing one");
            }
        }
    }

    /**
     * A GPU.
     *
     * @param ordinal its number, as in {@code cuda:0}
     * @param name its model
     */
    record Gpu(int ordinal, String name) {}
}
