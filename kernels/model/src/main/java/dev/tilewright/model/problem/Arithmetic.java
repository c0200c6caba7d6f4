package dev.tilewright.model.problem;

/**
 * The operations that steps of an epilogue are made of. A step is written once with them; a reference computes it in
 * f64, on the host or on a GPU, and an exported self-test has it as text.
 *
 * @param <V> a number of f64: its value, a register that holds it, or an expression
 */
public interface Arithmetic<V> {

    /** A constant of a formula. */
    V number(double constant);

    /** A factor or a limit as a kernel is passed it: rounded to f32, but for kernels that take f64. */
    V passed(double written);

    V plus(V a, V b);

    V times(V a, V b);

    V over(V a, V b);

    V abs(V x);

    /** The larger one; NaN if x is. */
    V atLeast(V x, V limit);

    /** The smaller one; NaN if x is. */
    V atMost(V x, V limit);

    V exp(V x);

    V erf(V x);

    /** {@code x / (1 + exp(-y))}. */
    default V logistic(V x, V y) {
        return over(x, plus(number(1), exp(times(number(-1), y))));
    }
}
