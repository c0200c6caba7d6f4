package dev.tilewright.worker.gpu.measure;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Watches the clock while the GPU runs, on the GPU's own time. The clock is read in steps of some MHz and jumps from
 * reading to reading under the power cap: what is judged are means over tenths of the window.
 */
final class Settling {

    private static final int BINS = 10;

    /** How it stands. */
    enum State {
        SETTLING,
        SETTLED,
        UNSETTLED
    }

    private final SettleRule rule;
    private final double[] sums;
    private final int[] counts;
    private double nowNs;
    private double slope = Double.NaN;
    private double spread = Double.NaN;
    private State state = State.SETTLING;

    Settling(SettleRule rule) {
        this.rule = rule;
        int bins = (int) Math.ceil(rule.mostNs() / binNs()) + 1;
        this.sums = new double[bins];
        this.counts = new int[bins];
    }

    private double binNs() {
        return rule.windowNs() / BINS;
    }

    /** A run that lasted so long, at this clock. */
    void saw(double durationNs, OptionalDouble clockMhz) {
        int bin = (int) Math.min(sums.length - 1, nowNs / binNs());
        nowNs += durationNs;
        if (clockMhz.isPresent()) {
            sums[bin] += clockMhz.getAsDouble();
            counts[bin]++;
        }
        if (state == State.SETTLING && nowNs >= rule.leastNs()) {
            judge();
            if (state == State.SETTLING && (nowNs >= rule.mostNs() || nothingRead())) {
                state = State.UNSETTLED;
            }
        }
    }

    private boolean nothingRead() {
        return Arrays.stream(counts).sum() == 0;
    }

    /** Looks at the last whole window. */
    private void judge() {
        int end = (int) Math.min(sums.length, nowNs / binNs());
        double[] clocks = new double[BINS];
        double[] seconds = new double[BINS];
        int known = 0;
        for (int bin = Math.max(0, end - BINS); bin < end; bin++) {
            if (counts[bin] > 0) {
                clocks[known] = sums[bin] / counts[bin];
                seconds[known++] = bin * binNs() / 1e9;
            }
        }
        // Runs that are longer than a tenth leave gaps; two points make no slope.
        if (known < 3) {
            return;
        }
        clocks = Arrays.copyOf(clocks, known);
        seconds = Arrays.copyOf(seconds, known);
        double mean = Arrays.stream(clocks).average().orElseThrow();
        spread = (Arrays.stream(clocks).max().orElseThrow()
                        - Arrays.stream(clocks).min().orElseThrow())
                / mean;
        slope = slope(seconds, clocks) / mean;
        if (Math.abs(slope) < rule.slope() && spread < rule.spread()) {
            state = State.SETTLED;
        }
    }

    private static double slope(double[] x, double[] y) {
        double meanX = Arrays.stream(x).average().orElseThrow();
        double meanY = Arrays.stream(y).average().orElseThrow();
        double products = 0;
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            products += (x[i] - meanX) * (y[i] - meanY);
            squares += (x[i] - meanX) * (x[i] - meanX);
        }
        return products / squares;
    }

    State state() {
        return state;
    }

    @Override
    public String toString() {
        String name = state.name().toLowerCase(Locale.ROOT);
        return Double.isNaN(slope)
                ? String.format(Locale.ROOT, "%s after %.1f s: the SM clock could not be followed", name, nowNs / 1e9)
                : String.format(
                        Locale.ROOT,
                        "%s after %.1f s: the SM clock changed by %.2f %% a second and swung by %.2f %%",
                        name,
                        nowNs / 1e9,
                        100 * slope,
                        100 * spread);
    }
}
