package dev.tilewright.model.problem;

/**
 * Arithmetic on the host.
 *
 * @param wideFactors whether kernels are passed factors and limits in f64; else they are rounded to f32
 */
public record DoubleArithmetic(boolean wideFactors) implements Arithmetic<Double> {

    /** A kernel is passed factors in f32. */
    public static final DoubleArithmetic DEFAULT = new DoubleArithmetic(false);

    /** Behind this erf is 1 in f64. */
    private static final double FLAT = 6;

    @Override
    public Double number(double constant) {
        return constant;
    }

    @Override
    public Double passed(double written) {
        return wideFactors ? written : (float) written;
    }

    @Override
    public Double plus(Double a, Double b) {
        return a + b;
    }

    @Override
    public Double times(Double a, Double b) {
        return a * b;
    }

    @Override
    public Double over(Double a, Double b) {
        return a / b;
    }

    @Override
    public Double abs(Double x) {
        return Math.abs(x);
    }

    @Override
    public Double atLeast(Double x, Double limit) {
        return Math.max(x, limit);
    }

    @Override
    public Double atMost(Double x, Double limit) {
        return Math.min(x, limit);
    }

    @Override
    public Double exp(Double x) {
        return Math.exp(x);
    }

    /** By the series of which no term is negative: 2/sqrt(pi) exp(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...). */
    @Override
    public Double erf(Double x) {
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
}
