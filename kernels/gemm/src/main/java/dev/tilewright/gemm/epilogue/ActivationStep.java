package dev.tilewright.gemm.epilogue;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.FloatMath.UnaryOperation;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A function of one number, by approximate instructions whose errors stay below {@link Activation#roundings}:
 * {@code tanh.approx} does not, so that a tanh is made of an exponential.
 *
 * <p>An SM computes 16 exponentials or reciprocals a clock beside 128 products. Two values therefore share one
 * reciprocal: {@code 1 / a = b * (1 / (a * b))}. Subnormal numbers count as 0: else the assembler scales each argument
 * and each result, by three more instructions.
 */
record ActivationStep(Activation function) implements EpilogueStep {

    private static final double LOG2_E = 1 / Math.log(2);
    private static final double TANH_FACTOR = 2 * Math.sqrt(2 / Math.PI) * LOG2_E;
    private static final double TANH_CUBED = 0.044715;

    /** erfc(z) = (a1 t + .. + a5 t^5) exp(-z^2) with t = 1 / (1 + p z), to 1.5e-7. Abramowitz and Stegun 7.1.26. */
    private static final double ERF_P = 0.3275911;

    private static final double[] ERF_A = {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429};

    /**
     * Limit of an exponent: the product of two such powers of 2 is still a number. Beyond it {@code x / 2^62} stands
     * for 0, which is far less than the {@link Activation#roundings} of x.
     */
    private static final int MOST_EXPONENT = 62;

    /** Limit of the argument of erfc, which is 0 in f32 there. */
    private static final int MOST_ERFC = 64;

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        List<Reg<F32>> results = new ArrayList<>();
        List<Reg<F32>> values = fragment.values();
        for (int first = 0; first < values.size(); first += 2) {
            results.addAll(values(b, values.subList(first, Math.min(first + 2, values.size()))));
        }
        return results;
    }

    private List<Reg<F32>> values(CodeBuilder b, List<Reg<F32>> values) {
        return switch (function) {
            case RELU -> each(values, x -> b.atLeast(x, Immediate.f32(0)));
            case SILU -> logistic(b, values, x -> b.fmul(x, number(-LOG2_E)));
            // x / 2 (1 + tanh u) is x / (1 + exp(-2 u)).
            case GELU_TANH ->
                logistic(b, values, x -> {
                    Reg<F32> squared = b.fmul(x, x);
                    return b.fmul(
                            x, b.fma(squared, b.mov(number(-TANH_FACTOR * TANH_CUBED)), b.mov(number(-TANH_FACTOR))));
                });
            case GELU_ERF -> geluErf(b, values);
        };
    }

    /** {@code x / (1 + 2^y)}. */
    private static List<Reg<F32>> logistic(CodeBuilder b, List<Reg<F32>> values, UnaryOperator<Reg<F32>> exponent) {
        List<Reg<F32>> reciprocals = reciprocals(
                b, each(values, x -> b.fadd(power(b, b.fmin(exponent.apply(x), number(MOST_EXPONENT))), number(1))));
        return pairwise(values, reciprocals, b::fmul);
    }

    /** {@code x / 2 erfc(|x| / sqrt(2))} of a negative x, and x less that of another. */
    private static List<Reg<F32>> geluErf(CodeBuilder b, List<Reg<F32>> values) {
        List<Reg<F32>> arguments =
                each(values, x -> b.fmin(b.fmul(b.fabs(x), number(Math.sqrt(0.5))), number(MOST_ERFC)));
        List<Reg<F32>> reciprocals =
                reciprocals(b, each(arguments, z -> b.fma(z, b.mov(number(ERF_P)), b.mov(number(1)))));
        List<Reg<F32>> tails = pairwise(arguments, reciprocals, (z, t) -> erfc(b, z, t));
        return pairwise(values, tails, (x, erfc) -> {
            Reg<F32> tail = b.fmul(b.fmul(x, number(0.5)), erfc);
            return b.select(b.setp(Relation.LT, ScalarType.F32, x, number(0)), tail, b.fadd(x, b.fneg(tail)));
        });
    }

    private static Reg<F32> erfc(CodeBuilder b, Reg<F32> z, Reg<F32> t) {
        Reg<F32> sum = b.mov(number(ERF_A[ERF_A.length - 1]));
        for (int i = ERF_A.length - 2; i >= 0; i--) {
            sum = b.fma(sum, t, b.mov(number(ERF_A[i])));
        }
        return b.fmul(b.fmul(sum, t), power(b, b.fmul(b.fmul(z, z), number(-LOG2_E))));
    }

    private static Reg<F32> power(CodeBuilder b, Reg<F32> exponent) {
        return b.flushed(UnaryOperation.EX2, exponent);
    }

    /** Of one number or two, whose product is a number, by one instruction. */
    private static List<Reg<F32>> reciprocals(CodeBuilder b, List<Reg<F32>> values) {
        if (values.size() == 1) {
            return List.of(b.flushed(UnaryOperation.RCP, values.getFirst()));
        }
        Reg<F32> inverse = b.flushed(UnaryOperation.RCP, b.fmul(values.getFirst(), values.getLast()));
        return List.of(b.fmul(values.getLast(), inverse), b.fmul(values.getFirst(), inverse));
    }

    private static List<Reg<F32>> each(List<Reg<F32>> values, UnaryOperator<Reg<F32>> function) {
        return values.stream().map(function).toList();
    }

    private static List<Reg<F32>> pairwise(
            List<Reg<F32>> first, List<Reg<F32>> second, BinaryOperator<Reg<F32>> function) {
        return IntStream.range(0, first.size())
                .mapToObj(i -> function.apply(first.get(i), second.get(i)))
                .toList();
    }

    private static Immediate<F32> number(double value) {
        return Immediate.f32((float) value);
    }
}
