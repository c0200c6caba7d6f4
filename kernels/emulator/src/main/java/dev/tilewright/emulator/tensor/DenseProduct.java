package dev.tilewright.emulator.tensor;

import dev.tilewright.emulator.number.ElementFormat;
import dev.tilewright.ptx.type.Element;
import java.util.Arrays;

/**
 * D[m,n] += A[m,k] * B[k,n] on dense arrays. Where nobody measured what a tensor core does, the products of one
 * instruction and the accumulator are summed in f64, then rounded once to the accumulator's type; {@link HopperSums}
 * has the other sums.
 */
public final class DenseProduct {
    /** Depths of instructions are multiples of it. */
    private static final int STEP = 4;

    private final int m;
    private final double[] a;
    private final double[] b;
    private final double[] tile;

    /** Room for instructions of {@code m} rows and at most that many columns and that much depth. */
    public DenseProduct(int m, int maxN, int maxK) {
        this.m = m;
        a = new double[m * maxK];
        b = new double[maxK * maxN];
        tile = new double[m * maxN];
    }

    int rows() {
        return m;
    }

    /** A by rows of the instruction's k elements. */
    public double[] a() {
        return a;
    }

    /** B by rows of the instruction's n elements. */
    public double[] b() {
        return b;
    }

    /** The accumulators by rows of n elements. */
    public double[] tile() {
        return tile;
    }

    /** Sets the accumulators to 0. */
    public void clear(int n) {
        Arrays.fill(tile, 0, m * n, 0);
    }

    /** One instruction. */
    public void multiplyAdd(int n, int k, Element accumulator, boolean saturate) {
        for (int row = 0; row < m; row++) {
            addRow(row, n, k);
        }
        round(n, accumulator, saturate);
    }

    /** Adds the products of a row to its accumulators, without rounding to their type. */
    void addRow(int row, int n, int k) {
        for (int step = 0; step < k; step += STEP) {
            int at = row * k + step;
            accumulate(tile, row * n, n, b, step * n, a[at], a[at + 1], a[at + 2], a[at + 3]);
        }
    }

    private static void accumulate(
            double[] tile, int base, int n, double[] b, int at, double a0, double a1, double a2, double a3) {
        int at1 = at + n;
        int at2 = at1 + n;
        int at3 = at2 + n;
        for (int i = 0; i < n; i++) {
            tile[base + i] += a0 * b[at + i] + a1 * b[at1 + i] + (a2 * b[at2 + i] + a3 * b[at3 + i]);
        }
    }

    private void round(int n, Element accumulator, boolean saturate) {
        int count = m * n;
        if (accumulator == Element.F64) {
            return;
        }
        if (accumulator == Element.F32) {
            for (int i = 0; i < count; i++) {
                tile[i] = (float) tile[i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            tile[i] = ElementFormat.accumulator(accumulator, ElementFormat.encode(accumulator, saturate, tile[i]));
        }
    }
}
