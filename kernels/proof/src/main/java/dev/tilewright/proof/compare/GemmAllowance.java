package dev.tilewright.proof.compare;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Activation;

/** How far an element of the result of a GEMM with an epilogue may be off. */
public final class GemmAllowance {

    private GemmAllowance() {}

    /** Beside a reference that is computed in f64. */
    public static Allowance of(Expectation.Gemm gemm, ElementType d) {
        return switch (gemm.tolerance()) {
            case Tolerance.Exact _ -> new Allowance(0, 0, 0, 0, 0);
            case Tolerance.Within(double absolute, double relative) -> new Allowance(relative, 0, absolute, 0, 0);
            case Tolerance.Bound(double relative, double c) -> bound(gemm, d, relative, 0, c);
        };
    }

    /**
     * Beside a reference whose sums are in f32, computed by one who cannot tell a result from its neighbours: nothing
     * is compared more closely than rounding to the type of D and the reference's own sums allow.
     *
     * @param leastC of a bound: what the hardware takes for the sums at the least
     */
    public static Allowance besideF32(Expectation.Gemm gemm, ElementType d, double leastC) {
        Tolerance.Bound usual = Tolerance.Bound.of(d);
        return switch (gemm.tolerance()) {
            case Tolerance.Exact _ -> bound(gemm, d, usual.relative(), 0, Math.max(usual.c(), leastC));
            case Tolerance.Within(double absolute, double relative) ->
                bound(gemm, d, Math.max(relative, d.halfUnit()), absolute, 1);
            case Tolerance.Bound(double relative, double c) ->
                bound(gemm, d, Math.max(relative, d.halfUnit()), 0, Math.max(1, Math.max(c, leastC)));
        };
    }

    private static Allowance bound(Expectation.Gemm gemm, ElementType d, double relative, double absolute, double c) {
        // Each factor other than 1 and each further sum rounds once more.
        int roundings = gemm.k()
                + (gemm.alpha() == 1 ? 0 : 1)
                + (gemm.beta() == 0 ? 0 : 2)
                + (gemm.bias().isPresent() ? 1 : 0);
        Activation activation = gemm.activation();
        return new Allowance(
                relative,
                d.smallest() / 2,
                absolute,
                activation.error(0, c * Math.sqrt(roundings) * 0x1p-24),
                activation.error(1, 0));
    }
}
