package dev.tilewright.proof;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;

/**
 * What an epilogue makes of a sum, in f64, and how far a kernel that computes it in f32 may be off.
 *
 * @param epilogue its steps
 */
record EpilogueReference(Epilogue epilogue) {

    /** Half a unit in the last place of f32. */
    private static final double HALF_UNIT = 0x1p-24;

    /** Factors that are a multiple of this and not large leave whole numbers exact. */
    private static final double FINE = 0x1p-8;

    private static final double LARGE = 256;

    /**
     * A number and its allowance.
     *
     * @param error how far it may be off before it is rounded to the type of D
     */
    record Expected(double value, double error) {

        private Expected plus(double summand) {
            double sum = value + summand;
            return new Expected(sum, error + HALF_UNIT * Math.abs(sum));
        }
    }

    /** Whether whole numbers come out exact. */
    boolean isExact() {
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

    /**
     * After all steps.
     *
     * @param sum of the products, and how far it may be off
     * @param bias the element of the bias
     * @param c the element of C
     */
    Expected of(Expected sum, double bias, double c) {
        Expected now = sum;
        for (EpilogueOp op : epilogue.ops()) {
            now = switch (op) {
                case EpilogueOp.Alpha(double factor) -> {
                    double product = (float) factor * now.value;
                    yield new Expected(product, Math.abs(factor) * now.error + HALF_UNIT * Math.abs(product));
                }
                case EpilogueOp.Beta(double factor) -> now.plus((float) factor * c);
                case EpilogueOp.Bias _ -> now.plus(bias);
                case EpilogueOp.Activate(Activation function) ->
                    new Expected(function.of(now.value), function.error(now.value, now.error));
                case EpilogueOp.Clamp(double low, double high) ->
                    new Expected(Math.clamp(now.value, (double) (float) low, (double) (float) high), now.error);
            };
        }
        return now;
    }
}
