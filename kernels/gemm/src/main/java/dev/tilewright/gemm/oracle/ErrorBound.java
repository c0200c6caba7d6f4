package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.OperandTypes;

/**
 * How far an element of D may be from the reference: {@code |d - ref| <= relative * |ref| + c * sqrt(K) * 2^-24 *
 * sum|a*b|}.
 *
 * <p>The first term is the rounding of the result to its type. The second is the accumulation in f32: each of K
 * additions errs by at most 2^-24 of a partial sum, which is below sum|a*b|; signs are random, so errors add as
 * sqrt(K).
 *
 * @param relative the largest relative error of rounding to the result's type: half a unit in the last place, 2^-8 for
 *     bf16; right kernels therefore come close to a ratio of 1 and stay below it
 * @param c for both accumulations together
 */
public record ErrorBound(double relative, double c) {
    /**
     * bf16 results. c = 1: with random signs the partial sums stay near sqrt(k), far below sum|a*b| which grows as k,
     * so 1 leaves room for the truncating adders of the tensor cores, which err up to twice as much as rounding ones.
     */
    public static final ErrorBound BF16 = new ErrorBound(0x1p-8, 1);

    /** f16 results: rounded to 11 bits. c as for bf16. */
    public static final ErrorBound F16 = new ErrorBound(0x1p-11, 1);

    /** f32 results: 2^-24, and as much for the reference, which is f32 too. c = 2 for the same reason. */
    public static final ErrorBound F32 = new ErrorBound(0x1p-23, 2);

    /**
     * c of inputs that have 8 bits. Hopper's tensor cores keep about 14 bits of a sum of such products while they add,
     * and cut off the rest: after every 32 products, the depth of an instruction, a sum loses up to 2^-13 of itself, on
     * average about a third of that, and always towards zero, so that these errors add.
     *
     * <p>A sum of random signs that ends z standard deviations from zero was 2/3 z sqrt(k) on average on its way, and
     * sum|a*b| is 0.64 k for normal inputs. Its k / 32 cuts therefore take c = 2^-13 / 3 / 32 / 2^-24 * (2/3) / 0.64 *
     * z, which is 22 z: 120 for the largest of millions of elements. On an H200 it is more where K is small and a sum
     * has few cuts to average over: {@code TypesOnGpuTest} saw 360 at k = 256, 235 at k = 720, 97 at k = 16384, of our
     * kernels and of cublasLt's alike. Hence 512, for k from 256 on.
     *
     * <p>A wrong kernel is further off: with normal inputs, 128 elements of K that are left out or read twice change a
     * sum by 11, where the bound is 0.08 at k = 256 and 5.2 at k = 4096.
     */
    private static final double EIGHT_BIT_C = 512;

    /** The bound for these types. */
    public static ErrorBound of(OperandTypes types) {
        ErrorBound exactProducts = switch (types.d()) {
            case BF16 -> BF16;
            case F16 -> F16;
            case F32 -> F32;
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("no result is judged in a type of 8 bits, got " + types.d());
        };
        return types.a().bytes() == 1 ? new ErrorBound(exactProducts.relative, EIGHT_BIT_C) : exactProducts;
    }

    /** Factor of {@code sum|a*b|}; an argument of {@link CompareKernel}. */
    public double scale(int k) {
        return c * Math.sqrt(k) * 0x1p-24;
    }

    /** The error in units of the bound: at most 1 is right. NaN stays NaN, and is wrong. */
    public double ratio(double d, double reference, double absoluteSum, int k) {
        double error = Math.abs(d - reference);
        return error == 0 ? 0 : error / (relative * Math.abs(reference) + scale(k) * absoluteSum);
    }
}
