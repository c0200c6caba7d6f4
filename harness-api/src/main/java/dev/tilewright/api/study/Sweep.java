package dev.tilewright.api.study;

import org.jspecify.annotations.Nullable;

/**
 * How fast a study was searched, from its first lease to its last report of a trial; the final is not part of it.
 *
 * @param configs trials that ran on a device
 * @param seconds wall time, positive
 * @param gpuBusyShare of the wall time of all devices that took part, the part in which kernels ran; {@code null} where
 *     no GPU was asked, as is the other
 * @param gpuSpinFlushShare the part that measuring itself took: the spinning gate and the flushing of the caches
 */
public record Sweep(
        int configs,
        double seconds,
        double configsPerSecond,
        @Nullable Double gpuBusyShare,
        @Nullable Double gpuSpinFlushShare) {

    /**
     * Works out rate and shares.
     *
     * @param devices that took part
     * @param busyNs sum over the trials; {@code null} if no trial has it
     * @param spinFlushNs sum over the trials; {@code null} if no trial has it
     */
    static Sweep of(int configs, double seconds, int devices, @Nullable Long busyNs, @Nullable Long spinFlushNs) {
        return new Sweep(
                configs,
                seconds,
                configs / seconds,
                share(busyNs, seconds * devices),
                share(spinFlushNs, seconds * devices));
    }

    private static @Nullable Double share(@Nullable Long partNs, double wholeSeconds) {
        return partNs == null ? null : partNs / 1e9 / wholeSeconds;
    }
}
