package dev.tilewright.gemm.epilogue;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Arithmetic.FloatUnaryOperation;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;

/**
 * A function of one number, by approximate instructions whose errors stay below {@link Activation#error}:
 * {@code tanh.approx} does not, so that a tanh is made of an exponential.
 */
record ActivationStep(Activation function) implements EpilogueStep {

    private static final double LOG2_E = 1 / Math.log(2);
    private static final double TANH_FACTOR = 2 * Math.sqrt(2 / Math.PI) * LOG2_E;
    private static final double TANH_CUBED = 0.044715;

    /** erfc(z) = (a1 t + .. + a5 t^5) exp(-z^2) with t = 1 / (1 + p z), to 1.5e-7. Abramowitz and Stegun 7.1.26. */
    private static final double ERF_P = 0.3275911;

    private static final double[] ERF_A = {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429};

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        return fragment.values().stream().map(value -> value(b, value)).toList();
    }

    private Reg<F32> value(CodeBuilder b, Reg<F32> x) {
        return switch (function) {
            case NONE -> x;
            case RELU -> b.fmax(x, Immediate.f32(0));
            case SILU -> logistic(b, x, b.fmul(x, number(-LOG2_E)));
            // x / 2 (1 + tanh u) is x / (1 + exp(-2 u)).
            case GELU_TANH -> {
                Reg<F32> squared = b.fmul(x, x);
                Reg<F32> slope = b.fma(squared, b.mov(number(-TANH_FACTOR * TANH_CUBED)), b.mov(number(-TANH_FACTOR)));
                yield logistic(b, x, b.fmul(x, slope));
            }
            case GELU_ERF -> geluErf(b, x);
        };
    }

    /** {@code x / (1 + 2^y)}. */
    private static Reg<F32> logistic(CodeBuilder b, Reg<F32> x, Reg<F32> y) {
        Reg<F32> power = b.unary(FloatUnaryOperation.EX2_APPROX, y);
        return b.fmul(x, b.unary(FloatUnaryOperation.RCP_APPROX, b.fadd(power, number(1))));
    }

    /** {@code x / 2 erfc(|x| / sqrt(2))} of what is negative, and x less that of what is not. */
    private static Reg<F32> geluErf(CodeBuilder b, Reg<F32> x) {
        Reg<F32> z = b.fmul(b.fabs(x), number(Math.sqrt(0.5)));
        Reg<F32> t = b.unary(FloatUnaryOperation.RCP_APPROX, b.fma(z, b.mov(number(ERF_P)), b.mov(number(1))));
        Reg<F32> sum = b.mov(number(ERF_A[ERF_A.length - 1]));
        for (int i = ERF_A.length - 2; i >= 0; i--) {
            sum = b.fma(sum, t, b.mov(number(ERF_A[i])));
        }
        Reg<F32> power = b.unary(FloatUnaryOperation.EX2_APPROX, b.fmul(b.fmul(z, z), number(-LOG2_E)));
        Reg<F32> tail = b.fmul(b.fmul(x, number(0.5)), b.fmul(b.fmul(sum, t), power));
        return b.select(b.setp(Relation.LT, ScalarType.F32, x, number(0)), tail, b.fadd(x, b.fneg(tail)));
    }

    private static Immediate<F32> number(double value) {
        return Immediate.f32((float) value);
    }
}
