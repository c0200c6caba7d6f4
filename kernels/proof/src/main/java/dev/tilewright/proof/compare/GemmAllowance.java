package dev.tilewright.proof.compare;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Epilogue;

/** How far an element of the result of a GEMM with an epilogue may be off. */
public final class GemmAllowance {

    /** Half a unit in the last place of f32. */
    private static final double HALF_UNIT = 0x1p-24;

    private GemmAllowance() {}

    /**
     * Beside a reference that is computed in f64.
     *
     * @param k depth of the sums
     * @param leastC of a bound: what the hardware takes for the sums at the least
     */
    public static Allowance of(Tolerance tolerance, Epilogue epilogue, int k, ElementType d, double leastC) {
        return switch (tolerance) {
            case Tolerance.Exact _ -> new Allowance(0, 0, 0, 0, 0);
            case Tolerance.Within(double absolute, double relative) -> new Allowance(relative, 0, absolute, 0, 0);
            case Tolerance.Bound(double relative, double c) -> bound(epilogue, k, d, relative, 0, Math.max(c, leastC));
        };
    }

    /**
     * Beside a reference whose sums are in f32, computed by one who cannot tell a result from its neighbours: nothing
     * is compared more closely than rounding to the type of D and the reference's own sums allow.
     *
     * @param k depth of the sums
     * @param leastC of a bound: what the hardware takes for the sums at the least
     */
    public static Allowance besideF32(Tolerance tolerance, Epilogue epilogue, int k, ElementType d, double leastC) {
        Tolerance.Bound usual = Tolerance.Bound.of(d);
        return switch (tolerance) {
            case Tolerance.Exact _ -> bound(epilogue, k, d, usual.relative(), 0, Math.max(usual.c(), leastC));
            case Tolerance.Within(double absolute, double relative) ->
                bound(epilogue, k, d, Math.max(relative, d.halfUnit()), absolute, 1);
            case Tolerance.Bound(double relative, double c) ->
                bound(epilogue, k, d, Math.max(relative, d.halfUnit()), 0, Math.max(1, Math.max(c, leastC)));
        };
    }

    private static Allowance bound(
            Epilogue epilogue, int k, ElementType d, double relative, double absolute, double c) {
        int roundings = k + epilogue.roundings();
        return new Allowance(
                relative,
                d.smallest() / 2,
                absolute,
                c * Math.sqrt(roundings) * HALF_UNIT,
                c * Allowance.ofSteps(epilogue));
    }
}
