package dev.tilewright.model.problem;

import java.util.Locale;

/** A function of one number, at the end of an epilogue; written with {@code -}, such as {@code gelu-tanh}. */
public enum Activation {
    /** x. */
    NONE(1, 0),
    /** max(x, 0). */
    RELU(1, 0),
    /** x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))). */
    GELU_TANH(1.13, 8),
    /** x / 2 * (1 + erf(x / sqrt(2))). */
    GELU_ERF(1.13, 8),
    /** x / (1 + exp(-x)). */
    SILU(1.1, 8);

    /** Behind this erf is 1 in f64. */
    private static final double FLAT = 6;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final double slope;
    private final int roundings;

    /**
     * @param slope the largest of its derivative, rounded up
     * @param roundings in f32, each at most 2^-24 of x: what a kernel may lose by computing it
     */
    Activation(double slope, int roundings) {
        this.slope = slope;
        this.roundings = roundings;
    }

    /** The value, in f64. */
    public double of(double x) {
        return switch (this) {
            case NONE -> x;
            case RELU -> Math.max(x, 0);
            case GELU_TANH -> x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
            case GELU_ERF -> x / 2 * (1 + erf(x / Math.sqrt(2)));
            case SILU -> x / (1 + Math.exp(-x));
        };
    }

    /** How far a value computed in f32 may be off, where its argument may be off by so much. */
    public double error(double x, double ofArgument) {
        return slope * ofArgument + roundings * 0x1p-24 * Math.abs(x);
    }

    /** By the series of which no term is negative: 2/sqrt(pi) exp(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...). */
    private static double erf(double x) {
        if (!(Math.abs(x) < FLAT)) {
            return Double.isNaN(x) ? x : Math.signum(x);
        }
        double term = x;
        double sum = x;
        for (int n = 1; Math.abs(term) > Math.abs(sum) * 0x1p-54; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
    }

    @Override
    public String toString() {
        return text;
    }
}
