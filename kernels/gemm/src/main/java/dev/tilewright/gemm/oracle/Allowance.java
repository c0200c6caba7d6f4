package dev.tilewright.gemm.oracle;

/**
 * How far an element of D may be from the reference where an epilogue follows the sums: {@code |d - ref| <=
 * max(relative * |ref|, floor) + absolute + ofScale * scale + ofArgument * |x|}. x is the argument of the activation,
 * scale the sum of the magnitudes of all that was added to it.
 *
 * @param relative the rounding of the result to its type
 * @param floor half of the smallest value of that type
 * @param ofScale the accumulation, times the largest slope of the activation
 * @param ofArgument what computing the activation in f32 may lose
 */
public record Allowance(double relative, double floor, double absolute, double ofScale, double ofArgument) {

    /** The largest error that is right. */
    public double allowed(double expected, double argument, double scale) {
        return Math.max(relative * Math.abs(expected), floor) + rest(argument, scale);
    }

    private double rest(double argument, double scale) {
        return absolute + ofScale * scale + ofArgument * Math.abs(argument);
    }

    /** The part of it that {@link EpilogueKernel} writes: all but {@code relative * |ref|}. */
    public double beside(double expected, double argument, double scale) {
        double rounding = relative * Math.abs(expected);
        return Math.max(rounding, floor) - rounding + rest(argument, scale);
    }
}
