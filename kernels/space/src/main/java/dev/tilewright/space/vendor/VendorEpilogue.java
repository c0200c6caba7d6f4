package dev.tilewright.space.vendor;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import java.util.Optional;

/**
 * An epilogue as cublasLt has it: {@code function(alpha * A * B + beta * C + bias)}, with a bias along our N, which is
 * its M.
 *
 * @param code {@code cublasLtEpilogue_t}
 */
public record VendorEpilogue(float alpha, float beta, int code) {

    /** {@code CUBLASLT_EPILOGUE_DEFAULT}; the others are bits beside each other. */
    private static final int DEFAULT = 1;

    private static final int RELU = 2;
    private static final int BIAS = 4;
    private static final int GELU = 32;

    /**
     * The epilogue of a problem.
     *
     * @throws IllegalArgumentException if the library has none like it, with the reason
     */
    public static VendorEpilogue of(Problem problem) {
        refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        float alpha = 1;
        float beta = 0;
        int code = 0;
        for (EpilogueOp op : problem.epilogue().ops()) {
            switch (op) {
                case EpilogueOp.Alpha(double factor) -> alpha = (float) factor;
                case EpilogueOp.Beta(double factor) -> beta = (float) factor;
                case EpilogueOp.Bias _ -> code |= BIAS;
                case EpilogueOp.Activate(Activation function) -> code |= function == Activation.RELU ? RELU : GELU;
                case EpilogueOp.Clamp _ -> throw new IllegalStateException("no clamp is let through");
            }
        }
        return new VendorEpilogue(alpha, beta, code == 0 ? DEFAULT : code);
    }

    /** Why the library has no such epilogue; empty if it has. */
    public static Optional<String> refusal(Problem problem) {
        Epilogue epilogue = problem.epilogue();
        if (epilogue.bias().isPresent()
                && problem.types().a().bytes() == 1
                && problem.types().d() == DataType.F32) {
            return Optional.of("epilogue = " + epilogue + ": cublasLt adds no f32 bias to products of 8 bits");
        }
        int last = 0;
        for (EpilogueOp op : epilogue.ops()) {
            int turn = turn(op);
            if (turn < last) {
                return Optional.of("epilogue = " + epilogue + ": cublasLt has no such step, or not in this order; it"
                        + " computes alpha, then beta and bias, then relu or gelu-tanh");
            }
            last = turn;
        }
        return Optional.empty();
    }

    /** When the library takes a step; -1 if it has none like it. */
    private static int turn(EpilogueOp op) {
        return switch (op) {
            case EpilogueOp.Alpha _ -> 0;
            case EpilogueOp.Beta _ -> 1;
            case EpilogueOp.Bias(Major along) -> along == Major.N ? 1 : -1;
            case EpilogueOp.Activate(Activation function) ->
                switch (function) {
                    case RELU, GELU_TANH -> 2;
                    case NONE, GELU_ERF, SILU -> -1;
                };
            case EpilogueOp.Clamp _ -> -1;
        };
    }
}
