package dev.tilewright.proof.export;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;

/**
 * An epilogue as the description of a launch says it: activation(alpha * A * B + beta * C + bias).
 *
 * @param beta 0 without a C
 */
record EpilogueForm(double alpha, double beta, Activation activation) {

    /** @throws IllegalArgumentException if its steps have another order, or a clamp */
    static EpilogueForm of(Epilogue epilogue) {
        double alpha = 1;
        double beta = 0;
        Activation activation = Activation.NONE;
        int last = 0;
        for (EpilogueOp op : epilogue.ops()) {
            int place = switch (op) {
                case EpilogueOp.Alpha(double factor) -> {
                    alpha = factor;
                    yield 0;
                }
                case EpilogueOp.Beta(double factor) -> {
                    beta = factor;
                    yield 1;
                }
                case EpilogueOp.Bias _ -> 1;
                case EpilogueOp.Activate(Activation function) -> {
                    activation = function;
                    yield 2;
                }
                case EpilogueOp.Clamp _ -> throw unsaid(epilogue);
            };
            if (place < last) {
                throw unsaid(epilogue);
            }
            last = place;
        }
        return new EpilogueForm(alpha, beta, activation);
    }

    private static IllegalArgumentException unsaid(Epilogue epilogue) {
        return new IllegalArgumentException("epilogue = " + epilogue
                + ": a launch is described as activation(alpha * A * B + beta * C + bias), in this order");
    }
}
