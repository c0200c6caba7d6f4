package dev.tilewright.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DoubleArithmetic;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ActivationTest {
    private static final double STEP = 1e-4;
    private static final DoubleArithmetic IN = DoubleArithmetic.DEFAULT;

    /** Values of tables of erf and tanh, to 12 digits. */
    @ParameterizedTest
    @CsvSource({
        "RELU, -1.5, 0",
        "RELU, 1.5, 1.5",
        "GELU_ERF, 1, 0.841344746069",
        "GELU_ERF, -1, -0.158655253931",
        "GELU_ERF, 3, 2.995950305905",
        "GELU_ERF, 0, 0",
        "GELU_ERF, 20, 20",
        "GELU_ERF, -20, 0",
        "GELU_TANH, 1, 0.841191990608",
        "GELU_TANH, -1, -0.158808009392",
        "SILU, 1, 0.731058578630",
        "SILU, -2, -0.238405844044"
    })
    void isWhatItsFormulaSays(Activation activation, double x, double value) {
        assertThat(activation.of(IN, x).doubleValue()).isEqualTo(value, within(1e-12));
    }

    /** The slope that errors are multiplied by is the largest there is, and not much more. */
    @ParameterizedTest
    @EnumSource
    void noErrorGrowsFasterThanItsBound(Activation activation) {
        double steepest = 0;
        for (double x = -10; x < 10; x += STEP) {
            steepest = Math.max(steepest, Math.abs(activation.of(IN, x + STEP) - activation.of(IN, x)) / STEP);
        }
        assertThat(activation.slope()).isBetween(steepest - 1e-9, steepest * 1.01);
    }

    /** Computed in f32 the plain way, it stays within what is allowed for that. */
    @ParameterizedTest
    @EnumSource
    void f32IsWithinTheBound(Activation activation) {
        for (float x = -12; x < 12; x += 0.0037f) {
            assertThat((double) inF32(activation, x))
                    .isEqualTo(
                            activation.of(IN, (double) x),
                            within(activation.roundings() * 0x1p-24 * Math.abs(x) + 1e-40));
        }
    }

    private static float inF32(Activation activation, float x) {
        return switch (activation) {
            case RELU -> Math.max(x, 0f);
            case GELU_TANH -> {
                float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
                yield 0.5f * x * (1f + (float) Math.tanh(inner));
            }
            case GELU_ERF -> {
                // erf from the function itself, rounded as a library would round it.
                float erf = x == 0 ? 0f : (float) (2 * Activation.GELU_ERF.of(IN, (double) x) / x - 1);
                yield 0.5f * x * (1f + erf);
            }
            case SILU -> x / (1f + (float) Math.exp(-x));
        };
    }
}
