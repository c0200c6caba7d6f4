package dev.tilewright.gemm.oracle;

import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;

/**
 * How far an element of D may be from the reference: {@code |d - ref| <= relative * |ref| + sums * sum|a*b|}. The first
 * term is the rounding of the result to its type, the second what the mainloop's sums may be off.
 *
 * @param relative the largest relative error of rounding to the result's type: half a unit in the last place, 2^-8 for
 *     bf16; right kernels therefore come close to a ratio of 1 and stay below it
 * @param sums for both accumulations together, the kernel's and the reference's
 */
public record ErrorBound(double relative, SumError sums) {
    /** bf16 results. */
    public static final ErrorBound BF16 = new ErrorBound(0x1p-8, SumError.Rounded.PLAIN);

    /** f16 results: rounded to 11 bits. */
    public static final ErrorBound F16 = new ErrorBound(0x1p-11, SumError.Rounded.PLAIN);

    /** f32 results: 2^-24, and as much for the reference, which is f32 too; hence c = 2. */
    public static final ErrorBound F32 = new ErrorBound(0x1p-23, new SumError.Rounded(2));

    /**
     * The bound for a problem, whoever's kernel it is: with inputs of 8 bits that of a mainloop that has the tensor
     * core add up all of K, as cublasLt's fast accumulation does. With block scales nobody can do so: the tensor core
     * adds up one block, and a kernel that does not promote its sums is refused.
     *
     * <p>A wrong kernel is further off: with normal inputs of 8 bits, 128 elements of K that are left out or read twice
     * change a sum by 11, where the bound is 0.16 at k = 256 and 2.6 at k = 4096.
     */
    public static ErrorBound of(Problem problem) {
        return problem.scales() == Scales.BLOCK
                ? new ErrorBound(of(problem.types()).relative, new SumError.Cut(Scales.BLOCK_K))
                : of(problem.types());
    }

    /** The same for these types, without block scales. */
    public static ErrorBound of(OperandTypes types) {
        ErrorBound exactProducts = switch (types.d()) {
            case BF16 -> BF16;
            case F16 -> F16;
            case F32 -> F32;
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("no result is judged in a type of 8 bits, got " + types.d());
        };
        return types.a().bytes() == 1 ? new ErrorBound(exactProducts.relative, SumError.Cut.WHOLE) : exactProducts;
    }

    /** Factor of {@code sum|a*b|} where signs are random; an argument of {@link CompareKernel}. */
    public double scale(int k) {
        return scale(k, Signs.RANDOM);
    }

    /** Factor of {@code sum|a*b|} for products of such signs. */
    public double scale(int k, Signs signs) {
        return sums.of(k, signs);
    }

    /** The error in units of the bound: at most 1 is right. NaN stays NaN, and is wrong. */
    public double ratio(double d, double reference, double absoluteSum, int k) {
        return ratio(d, reference, absoluteSum, k, Signs.RANDOM);
    }

    /** The same for products of such signs. */
    public double ratio(double d, double reference, double absoluteSum, int k, Signs signs) {
        double error = Math.abs(d - reference);
        return error == 0 ? 0 : error / (relative * Math.abs(reference) + scale(k, signs) * absoluteSum);
    }
}
