package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Scales;
import java.util.function.IntToDoubleFunction;

/**
 * D[M,N] = A[M,K] * B[N,K]^T on the CPU: bf16 in, accumulated in float64. For tests and for samples of large problems.
 */
public final class ReferenceGemm {
    /** An element of D before rounding, and the sum of the magnitudes of its products. */
    public record Element(double value, double absoluteSum) {}

    private ReferenceGemm() {}

    /**
     * One element.
     *
     * @param a row-major [M,K], bf16
     * @param b row-major [N,K], bf16
     */
    public static Element element(short[] a, short[] b, int k, int row, int column) {
        return element(floats(a, row * k, k), 0, floats(b, column * k, k), 0, k);
    }

    private static float[] floats(short[] values, int from, int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = Bf16.toFloat(values[from + i]);
        }
        return floats;
    }

    /**
     * One element, from values of whatever type.
     *
     * @param a has the row of A, K values from {@code ofA} on
     * @param b has the row of B, K values from {@code ofB} on
     */
    public static Element element(float[] a, int ofA, float[] b, int ofB, int k) {
        return element(a, ofA, 1, b, ofB, 1, k);
    }

    /**
     * The same where neighbours along K need not be neighbours.
     *
     * @param stepA elements from one k to the next in A
     * @param stepB likewise in B
     */
    public static Element element(float[] a, int ofA, int stepA, float[] b, int ofB, int stepB, int k) {
        double value = 0;
        double absolute = 0;
        for (int i = 0; i < k; i++) {
            double product = (double) a[ofA + i * stepA] * b[ofB + i * stepB];
            value += product;
            absolute += Math.abs(product);
        }
        return new Element(value, absolute);
    }

    /**
     * The same with scales of blocks: the sum of each block of K is multiplied with its scale, and the results are
     * added up.
     *
     * @param scale of A times that of B for a block of K, by its index
     */
    public static Element element(
            float[] a, int ofA, int stepA, float[] b, int ofB, int stepB, int k, IntToDoubleFunction scale) {
        double value = 0;
        double absolute = 0;
        for (int from = 0; from < k; from += Scales.BLOCK_K) {
            Element sum = element(
                    a, ofA + from * stepA, stepA, b, ofB + from * stepB, stepB, Math.min(Scales.BLOCK_K, k - from));
            double factor = scale.applyAsDouble(from / Scales.BLOCK_K);
            value += factor * sum.value;
            absolute += Math.abs(factor) * sum.absoluteSum;
        }
        return new Element(value, absolute);
    }
}
