package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;

/**
 * What an epilogue makes of a sum, in f64, and how far a kernel may be off that computes it in f32.
 * {@link EpilogueKernel} computes the same on a GPU.
 *
 * @param wideFactors whether kernels are passed factors and limits in f64; else they are rounded to f32
 */
public record EpilogueReference(Epilogue epilogue, boolean wideFactors) {

    /** Factors that are a multiple of this and not large leave whole numbers exact. */
    private static final double FINE = 0x1p-8;

    private static final double LARGE = 256;

    /** A kernel is passed factors in f32. */
    public EpilogueReference(Epilogue epilogue) {
        this(epilogue, false);
    }

    /**
     * A number and its allowance.
     *
     * @param error how far it may be off before it is rounded to the type of D
     */
    public record Expected(double value, double error) {}

    /**
     * A number between two steps.
     *
     * @param magnitude sum of the magnitudes of all that was added since the last activation
     * @param perMagnitude error for each unit of it
     * @param error what an activation has left
     */
    private record State(double value, double magnitude, double perMagnitude, double error) {

        State times(double factor) {
            return new State(value * factor, magnitude * Math.abs(factor), perMagnitude, error * Math.abs(factor));
        }

        State plus(double summand) {
            return new State(value + summand, magnitude + Math.abs(summand), perMagnitude, error);
        }

        double allError() {
            return error + perMagnitude * magnitude;
        }
    }

    /** Whether whole numbers come out exact. */
    public boolean isExact() {
        return epilogue.ops().stream().allMatch(op -> switch (op) {
            case EpilogueOp.Alpha(double factor) -> isFine(factor);
            case EpilogueOp.Beta(double factor) -> isFine(factor);
            case EpilogueOp.Bias _, EpilogueOp.Clamp _ -> true;
            case EpilogueOp.Activate(Activation function) ->
                switch (function) {
                    case NONE, RELU -> true;
                    case GELU_TANH, GELU_ERF, SILU -> false;
                };
        });
    }

    private static boolean isFine(double factor) {
        return Math.abs(factor) <= LARGE && factor / FINE == Math.rint(factor / FINE);
    }

    /** A factor or a limit as a kernel has it. */
    double number(double written) {
        return wideFactors ? written : (float) written;
    }

    /**
     * After all steps.
     *
     * @param sum of the products
     * @param magnitude sum of their magnitudes
     * @param bias the element of the bias
     * @param c the element of C
     */
    public Expected of(double sum, double magnitude, double bias, double c, Allowance allowance) {
        State now = new State(sum, magnitude, allowance.ofSums(), 0);
        for (EpilogueOp op : epilogue.ops()) {
            now = switch (op) {
                case EpilogueOp.Alpha(double factor) -> now.times(number(factor));
                case EpilogueOp.Beta(double factor) -> factor == 0 ? now : now.plus(number(factor) * c);
                case EpilogueOp.Bias _ -> now.plus(bias);
                case EpilogueOp.Activate(Activation function) -> activated(now, function, allowance);
                case EpilogueOp.Clamp(double low, double high) ->
                    new State(
                            Math.clamp(now.value, number(low), number(high)),
                            now.magnitude,
                            now.perMagnitude,
                            now.error);
            };
        }
        return new Expected(now.value, now.allError());
    }

    private static State activated(State now, Activation function, Allowance allowance) {
        double value = function.of(now.value);
        double computed = allowance.ofSteps() == 0 ? 0 : now.value;
        return new State(value, Math.abs(value), allowance.ofSteps(), function.error(computed, now.allError()));
    }

    /** Numbers that are rounded on the way from a sum of k products to the argument of an activation. */
    public int roundings(int k) {
        int more = 0;
        for (EpilogueOp op : epilogue.ops()) {
            more += switch (op) {
                case EpilogueOp.Alpha(double factor) -> factor == 1 ? 0 : 1;
                case EpilogueOp.Beta(double factor) -> factor == 0 ? 0 : 2;
                case EpilogueOp.Bias _ -> 1;
                case EpilogueOp.Activate _, EpilogueOp.Clamp _ -> 0;
            };
        }
        return k + more;
    }
}
