package dev.tilewright.gate.statistics;

/** How much neighbours resemble each other. */
public final class Autocorrelation {

    private Autocorrelation() {}

    /** Sum of the products of neighbours' distances to a mean. */
    static double lagged(double[] values, double mean) {
        double sum = 0;
        for (int i = 1; i < values.length; i++) {
            sum += (values[i] - mean) * (values[i - 1] - mean);
        }
        return sum;
    }

    /** Lag-1 autocorrelation of values whose mean is zero; 0 if they do not vary. */
    public static double ofCentred(double... values) {
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        return squares == 0 ? 0 : lagged(values, 0) / squares;
    }
}
