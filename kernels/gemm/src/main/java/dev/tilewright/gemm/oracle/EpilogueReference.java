package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DoubleArithmetic;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.EpilogueOp.Addends;

/**
 * The result of an epilogue in f64, and how far a kernel may be off that computes it in f32. {@link EpilogueKernel}
 * computes the same on a GPU.
 */
public record EpilogueReference(Epilogue epilogue, DoubleArithmetic in) {

    /** A kernel is passed factors in f32. */
    public EpilogueReference(Epilogue epilogue) {
        this(epilogue, DoubleArithmetic.DEFAULT);
    }

    /**
     * A number and its allowance.
     *
     * @param error how far it may be off before it is rounded to the type of D
     */
    public record Expected(double value, double error) {}

    /**
     * After all steps.
     *
     * @param sum of the products
     * @param magnitude sum of their magnitudes
     * @param addends what is read beside the sum
     */
    public Expected of(double sum, double magnitude, Addends<Double> addends, Allowance allowance) {
        BoundedValue.Errors<Double> errors = new BoundedValue.Errors<>(allowance.ofSteps(), allowance.ofFunctions());
        BoundedValue<Double> now = new BoundedValue<>(sum, magnitude, allowance.ofSums(), 0.0);
        for (EpilogueOp op : epilogue.ops()) {
            now = now.after(op, addends, errors, in);
        }
        return new Expected(now.value(), now.allError(in));
    }
}
