package dev.tilewright.gate.statistics;

/** A centre of a sample that a few wild values hardly move: the median of the means of all pairs. */
public final class HodgesLehmann {

    private HodgesLehmann() {}

    /**
     * Median of {@code (y[i] + y[j]) / 2} over all {@code i <= j}.
     *
     * @throws IllegalArgumentException if the sample is empty or holds a value that is not finite
     */
    public static double centre(double... sample) {
        double[] means = new double[sample.length * (sample.length + 1) / 2];
        int at = 0;
        for (int i = 0; i < sample.length; i++) {
            for (int j = i; j < sample.length; j++) {
                means[at++] = (sample[i] + sample[j]) / 2;
            }
        }
        return Quantiles.median(means);
    }
}
