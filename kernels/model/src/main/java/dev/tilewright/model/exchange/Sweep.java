package dev.tilewright.model.exchange;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How fast a study was searched, from its first lease to its last report of a trial; the final is not part of it.
 *
 * @param configs trials that ran on a device
 * @param seconds wall time, positive
 * @param gpuBusyShare of the wall time of all devices that took part, the part in which kernels ran; {@code null} where
 *     no GPU was asked, as is the other
 * @param gpuSpinFlushShare the part that measuring itself took: spinning behind plugs, and flushing L2
 * @param gpuWaitShares the parts in which a GPU had nothing to do, by what its runner was at meanwhile; what no trial
 *     accounts for is {@code outside}: before the first one, after the last, and what came to no end. {@code null}
 *     where nobody has told
 */
public record Sweep(
        int configs,
        double seconds,
        double configsPerSecond,
        @Nullable Double gpuBusyShare,
        @Nullable Double gpuSpinFlushShare,
        @Nullable Map<String, Double> gpuWaitShares) {

    private static final String OUTSIDE = "outside";

    /**
     * Works out rate and shares.
     *
     * @param devices that took part
     * @param busyNs sum over the trials; {@code null} if no trial has it
     * @param spinFlushNs sum over the trials; {@code null} if no trial has it
     * @param waitsNs sums over the trials; empty if no trial has any
     */
    public static Sweep of(
            int configs,
            double seconds,
            int devices,
            @Nullable Long busyNs,
            @Nullable Long spinFlushNs,
            Map<String, Long> waitsNs) {
        double whole = seconds * devices;
        Double busy = share(busyNs, whole);
        Double spinFlush = share(spinFlushNs, whole);
        return new Sweep(
                configs,
                seconds,
                configs / seconds,
                busy,
                spinFlush,
                busy == null || spinFlush == null || waitsNs.isEmpty()
                        ? null
                        : waits(waitsNs, whole, 1 - busy - spinFlush));
    }

    private static Map<String, Double> waits(Map<String, Long> waitsNs, double whole, double idle) {
        Map<String, Double> shares = new TreeMap<>();
        waitsNs.forEach((part, nanos) -> shares.put(part, nanos / 1e9 / whole));
        double known = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        // Clocks of two machines and of a device: what is left may be a little less than nothing.
        shares.put(OUTSIDE, Math.max(0, idle - known));
        return shares;
    }

    private static @Nullable Double share(@Nullable Long partNs, double wholeSeconds) {
        return partNs == null ? null : partNs / 1e9 / wholeSeconds;
    }
}
