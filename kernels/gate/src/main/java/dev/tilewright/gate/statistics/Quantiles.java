package dev.tilewright.gate.statistics;

import java.util.Arrays;

/** Quantiles of a sample. */
public final class Quantiles {

    private Quantiles() {}

    /**
     * The middle value, or the mean of the two middle ones.
     *
     * @throws IllegalArgumentException if the sample is empty or holds a value that is not finite
     */
    public static double median(double... sample) {
        return quantile(sample, 0.5);
    }

    /**
     * A quantile, linear between neighbours (type 7 of Hyndman and Fan).
     *
     * @param p 0 for the least value, 1 for the greatest
     * @throws IllegalArgumentException if the sample is empty or holds a value that is not finite, or p is outside 0..1
     */
    public static double quantile(double[] sample, double p) {
        if (sample.length == 0) {
            throw new IllegalArgumentException("a quantile needs at least one value");
        }
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException("p must be in 0..1, got " + p);
        }
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        if (!Double.isFinite(sorted[0]) || !Double.isFinite(sorted[sorted.length - 1])) {
            throw new IllegalArgumentException("a sample must be finite, got " + Arrays.toString(sample));
        }
        double position = p * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
