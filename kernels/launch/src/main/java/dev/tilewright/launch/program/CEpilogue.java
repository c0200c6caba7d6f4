package dev.tilewright.launch.program;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import java.util.stream.Collectors;

/** The steps of an epilogue as statements in C, on a {@code double x}, with the elements {@code bias} and {@code c}. */
final class CEpilogue {

    private CEpilogue() {}

    static String of(Epilogue epilogue) {
        return epilogue.ops().stream().map(CEpilogue::statement).collect(Collectors.joining());
    }

    private static String statement(EpilogueOp op) {
        return switch (op) {
            case EpilogueOp.Alpha(double factor) -> "    x *= (float)" + factor + ";\n";
            case EpilogueOp.Beta(double factor) -> factor == 0 ? "" : "    x += (float)" + factor + " * c;\n";
            case EpilogueOp.Bias(Major _) -> "    x += bias;\n";
            case EpilogueOp.Clamp(double low, double high) ->
                "    x = x < (float)" + low + " ? (float)" + low + " : x > (float)" + high + " ? (float)" + high
                        + " : x;\n";
            case EpilogueOp.Activate(Activation function) -> "    x = " + value(function) + ";\n";
        };
    }

    private static String value(Activation function) {
        return switch (function) {
            case NONE -> "x";
            case RELU -> "x < 0 ? 0 : x";
            case GELU_TANH -> "x / 2 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))";
            case GELU_ERF -> "x / 2 * (1 + erf(x * 0.7071067811865476))";
            case SILU -> "x / (1 + exp(-x))";
        };
    }
}
