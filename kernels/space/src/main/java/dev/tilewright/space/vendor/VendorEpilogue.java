package dev.tilewright.space.vendor;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
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

    private static final int BIAS = 4;

    private static final Map<Activation, Integer> FUNCTIONS = Map.of(Activation.RELU, 2, Activation.GELU_TANH, 32);

    /**
     * The epilogue of a problem.
     *
     * @throws IllegalArgumentException if the library has none like it, with the reason
     */
    public static VendorEpilogue of(Problem problem) {
        refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        return of(problem.epilogue()).orElseThrow();
    }

    /** Why the library has no such epilogue; empty if it has. */
    public static Optional<String> refusal(Problem problem) {
        Epilogue epilogue = problem.epilogue();
        if (epilogue.bias().isPresent()
                && problem.types().a().bytes() == 1
                && problem.types().d() == DataType.F32) {
            return Optional.of("epilogue = " + epilogue + ": cublasLt adds no f32 bias to products of 8 bits");
        }
        if (of(epilogue).isEmpty()) {
            return Optional.of("epilogue = " + epilogue + ": cublasLt has no such step, or not in this order; it"
                    + " computes alpha, then beta and bias, then relu or gelu-tanh");
        }
        return Optional.empty();
    }

    /** {@code alpha? (beta | bias)* (relu | gelu-tanh)?}; empty of any other. */
    private static Optional<VendorEpilogue> of(Epilogue epilogue) {
        Deque<EpilogueOp> rest = new ArrayDeque<>(epilogue.ops());
        float alpha = 1;
        float beta = 0;
        int code = 0;
        if (rest.peek() instanceof EpilogueOp.Alpha(double factor)) {
            alpha = (float) factor;
            rest.pop();
        }
        for (int i = 0; i < 2; i++) {
            if (rest.peek() instanceof EpilogueOp.Beta(double factor)) {
                beta = (float) factor;
                rest.pop();
            } else if (rest.peek() instanceof EpilogueOp.Bias(Major along) && along == Major.N) {
                code |= BIAS;
                rest.pop();
            }
        }
        if (rest.peek() instanceof EpilogueOp.Activate(Activation function) && FUNCTIONS.containsKey(function)) {
            code |= FUNCTIONS.get(function);
            rest.pop();
        }
        return rest.isEmpty()
                ? Optional.of(new VendorEpilogue(alpha, beta, code == 0 ? DEFAULT : code))
                : Optional.empty();
    }
}
