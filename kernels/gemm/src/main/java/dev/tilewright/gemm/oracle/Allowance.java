package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Epilogue;

/**
 * How far an element of D may be from the reference where an epilogue follows the sums: {@code |d - ref| <=
 * max(relative * |ref|, floor) + absolute + error}, with the error of {@link EpilogueReference}.
 *
 * @param relative the rounding of the result to its type
 * @param floor half of the smallest value of that type
 * @param ofSums error of the sums and of what is added to them, for each unit of their magnitudes
 * @param ofSteps error of a step behind an activation, likewise; 0 where steps are exact, and activations with them
 */
public record Allowance(double relative, double floor, double absolute, double ofSums, double ofSteps) {

    private static final double HALF_UNIT = 0x1p-24;

    /**
     * Error of the steps behind an activation, for each unit of the magnitudes: each of them rounds to f32. They are
     * few, so no chance is taken that their errors have different signs.
     */
    public static double ofSteps(Epilogue epilogue) {
        return Math.max(1, epilogue.roundings()) * HALF_UNIT;
    }

    /** Error of a rounding in an activation, for each unit of its argument; 0 where steps are exact. */
    double ofFunctions() {
        return ofSteps == 0 ? 0 : HALF_UNIT;
    }

    /** The largest error that is right. */
    public double allowed(EpilogueReference.Expected expected) {
        return Math.max(relative * Math.abs(expected.value()), floor) + absolute + expected.error();
    }

    /** The part of it that {@link EpilogueKernel} writes: all but {@code relative * |ref|}. */
    public double beside(EpilogueReference.Expected expected) {
        double rounding = relative * Math.abs(expected.value());
        return Math.max(rounding, floor) - rounding + absolute + expected.error();
    }
}
