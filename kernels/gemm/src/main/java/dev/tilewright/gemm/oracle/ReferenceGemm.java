package dev.tilewright.gemm.oracle;

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
        double value = 0;
        double absolute = 0;
        for (int i = 0; i < k; i++) {
            double product = (double) Bf16.toFloat(a[row * k + i]) * Bf16.toFloat(b[column * k + i]);
            value += product;
            absolute += Math.abs(product);
        }
        return new Element(value, absolute);
    }

    /** All of D, row-major. */
    public static double[] multiply(short[] a, short[] b, int m, int n, int k) {
        double[] d = new double[Math.multiplyExact(m, n)];
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                d[row * n + column] = element(a, b, k, row, column).value();
            }
        }
        return d;
    }
}
