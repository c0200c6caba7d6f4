package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.Sweep;
import dev.tilewright.model.text.Count;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How fast a study was searched, on one line. */
record SweepLine(Sweep sweep) {

    /** Smaller parts are not written out. */
    private static final double LEAST_SHARE = 0.002;

    @Override
    public String toString() {
        String rate = String.format(
                Locale.ROOT,
                "%s in %.1f s, %.1f configs/s",
                Count.of(sweep.configs(), "config"),
                sweep.seconds(),
                sweep.configsPerSecond());
        Double busy = sweep.gpuBusyShare();
        Double spinFlush = sweep.gpuSpinFlushShare();
        return busy == null || spinFlush == null
                ? rate
                : rate
                        + String.format(
                                Locale.ROOT, ", GPU busy %.0f %% (spin and flush %.0f %%)", 100 * busy, 100 * spinFlush)
                        + waits();
    }

    private String waits() {
        Map<String, Double> shares = sweep.gpuWaitShares();
        String parts = shares == null
                ? ""
                : shares.entrySet().stream()
                        .filter(part -> part.getValue() >= LEAST_SHARE)
                        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                        .map(part -> String.format(Locale.ROOT, "%s %.1f %%", part.getKey(), 100 * part.getValue()))
                        .collect(Collectors.joining(", "));
        return parts.isEmpty() ? "" : ", waited for: " + parts;
    }
}
