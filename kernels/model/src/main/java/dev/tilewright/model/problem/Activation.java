package dev.tilewright.model.problem;

import java.util.Locale;

/** A function of one number, in an epilogue; written with {@code -}, such as {@code gelu-tanh}. */
public enum Activation {
    /** max(x, 0). */
    RELU(1, 0) {
        @Override
        public <V> V of(Arithmetic<V> in, V x) {
            return in.atLeast(x, in.number(0));
        }
    },
    /** x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), which is x / (1 + exp(-2 sqrt(2 / pi) * ...)). */
    GELU_TANH(1.13, 8) {
        @Override
        public <V> V of(Arithmetic<V> in, V x) {
            V cubed = in.times(in.times(x, x), in.times(x, in.number(0.044715)));
            return in.logistic(x, in.times(in.number(2 * Math.sqrt(2 / Math.PI)), in.plus(x, cubed)));
        }
    },
    /** x / 2 * (1 + erf(x / sqrt(2))). */
    GELU_ERF(1.13, 8) {
        @Override
        public <V> V of(Arithmetic<V> in, V x) {
            V erf = in.erf(in.times(x, in.number(Math.sqrt(0.5))));
            return in.times(in.times(x, in.number(0.5)), in.plus(in.number(1), erf));
        }
    },
    /** x / (1 + exp(-x)). */
    SILU(1.1, 8) {
        @Override
        public <V> V of(Arithmetic<V> in, V x) {
            return in.logistic(x, x);
        }
    };

    /** The functions, for messages. */
    static final String KNOWN = "relu, gelu (gelu-tanh), gelu-erf, silu";

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final double slope;
    private final int roundings;

    /**
     * @param slope the largest of its derivative, rounded up
     * @param roundings in f32, each at most 2^-24 of x: the loss that is allowed to a kernel; 0 of an exact function
     */
    Activation(double slope, int roundings) {
        this.slope = slope;
        this.roundings = roundings;
    }

    /** The value. */
    public abstract <V> V of(Arithmetic<V> in, V x);

    /** Its largest slope: an error of the argument grows by no more. */
    public double slope() {
        return slope;
    }

    /** Roundings in f32, each at most 2^-24 of x, by which a kernel may be off; 0 of a function that is exact. */
    public int roundings() {
        return roundings;
    }

    @Override
    public String toString() {
        return text;
    }
}
