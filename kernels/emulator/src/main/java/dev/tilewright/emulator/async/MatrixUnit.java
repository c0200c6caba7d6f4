package dev.tilewright.emulator.async;

import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Warp;
import dev.tilewright.emulator.memory.Bytes;
import dev.tilewright.emulator.tensor.MatrixDescriptor;
import java.util.List;

/**
 * Computes wgmmas: 64 x n, 16 deep, products exact, added in f32 in the order of k. The accumulators stay in a dense
 * tile as long as one wgmma after the other takes the same.
 */
final class MatrixUnit {
    static final int K = 16;
    private static final int M = 64;
    private static final int MAX_N = 256;

    private final List<Warp> warps;
    private final float[] a = new float[M * K];
    private final float[] b = new float[K * MAX_N];
    private final float[] tile = new float[M * MAX_N];
    private final float[] column = new float[K];

    MatrixUnit(List<Warp> warps) {
        this.warps = warps;
    }

    void multiply(Cta cta, List<MmaOperation> batch) {
        int[] held = null;
        for (MmaOperation operation : batch) {
            int n = operation.shape.n();
            if (held != operation.shape.d()) {
                if (held != null) {
                    scatter(held);
                }
                held = operation.shape.d();
                gather(held);
            }
            loadA(cta, operation);
            loadB(cta, operation);
            if (!operation.accumulate) {
                java.util.Arrays.fill(tile, 0, M * n, 0f);
            }
            multiplyAdd(n);
            cta.grid().countMultiplyAdds((long) M * n * K);
        }
        if (held != null) {
            scatter(held);
        }
    }

    private void multiplyAdd(int n) {
        for (int row = 0; row < M; row++) {
            int base = row * n;
            for (int k = 0; k < K; k += 4) {
                accumulate(
                        tile,
                        base,
                        n,
                        b,
                        k * n,
                        a[row * K + k],
                        a[row * K + k + 1],
                        a[row * K + k + 2],
                        a[row * K + k + 3]);
            }
        }
    }

    /**
     * Four steps of k for one row; each product and each sum is rounded for itself, products of 16-bit inputs are
     * exact.
     */
    private static void accumulate(
            float[] tile, int base, int n, float[] b, int at, float a0, float a1, float a2, float a3) {
        int at1 = at + n;
        int at2 = at1 + n;
        int at3 = at2 + n;
        for (int i = 0; i < n; i++) {
            float sum = tile[base + i];
            sum += a0 * b[at + i];
            sum += a1 * b[at1 + i];
            sum += a2 * b[at2 + i];
            sum += a3 * b[at3 + i];
            tile[base + i] = sum;
        }
    }

    private void loadA(Cta cta, MmaOperation operation) {
        float sign = operation.shape.negateA() ? -1f : 1f;
        int[][] fragments = operation.fragments;
        if (fragments != null) {
            loadFragments(fragments, operation.shape.half(), sign);
            return;
        }
        MatrixDescriptor matrix = operation.descriptorA();
        byte[] data = cta.shared().data();
        boolean half = operation.shape.half();
        if (operation.shape.transposeA()) {
            for (int chunk = 0; chunk < M / 8; chunk++) {
                for (int k = 0; k < K; k++) {
                    int at = matrix.mnMajor(chunk, k);
                    for (int i = 0; i < 8; i++) {
                        a[(chunk * 8 + i) * K + k] = sign * element(data, at + 2 * i, half);
                    }
                }
            }
            return;
        }
        for (int row = 0; row < M; row++) {
            for (int chunk = 0; chunk < 2; chunk++) {
                int at = matrix.kMajor(row, chunk);
                for (int i = 0; i < 8; i++) {
                    a[row * K + chunk * 8 + i] = sign * element(data, at + 2 * i, half);
                }
            }
        }
    }

    private void loadFragments(int[][] fragments, boolean half, float sign) {
        for (int warp = 0; warp < 4; warp++) {
            for (int i = 0; i < 4; i++) {
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    int word = fragments[warp][i * Warp.LANES + lane];
                    int row = warp * 16 + lane / 4 + 8 * (i & 1);
                    int k = 2 * (lane & 3) + 8 * (i >> 1);
                    a[row * K + k] = sign * element((short) word, half);
                    a[row * K + k + 1] = sign * element((short) (word >>> 16), half);
                }
            }
        }
    }

    private void loadB(Cta cta, MmaOperation operation) {
        int n = operation.shape.n();
        float sign = operation.shape.negateB() ? -1f : 1f;
        boolean half = operation.shape.half();
        MatrixDescriptor matrix = operation.descriptorB();
        byte[] data = cta.shared().data();
        if (operation.shape.transposeB()) {
            for (int chunk = 0; chunk < n / 8; chunk++) {
                for (int k = 0; k < K; k++) {
                    int at = matrix.mnMajor(chunk, k);
                    for (int i = 0; i < 8; i++) {
                        b[k * n + chunk * 8 + i] = sign * element(data, at + 2 * i, half);
                    }
                }
            }
            return;
        }
        for (int row = 0; row < n; row++) {
            for (int chunk = 0; chunk < 2; chunk++) {
                int at = matrix.kMajor(row, chunk);
                for (int i = 0; i < 8; i++) {
                    column[chunk * 8 + i] = sign * element(data, at + 2 * i, half);
                }
            }
            for (int k = 0; k < K; k++) {
                b[k * n + row] = column[k];
            }
        }
    }

    private static float element(byte[] data, int at, boolean half) {
        return element(Bytes.getShort(data, at), half);
    }

    private static float element(short bits, boolean half) {
        return half ? Float.float16ToFloat(bits) : Float.intBitsToFloat(bits << 16);
    }

    /** Element i of lane l of warp w is row 16w + l/4 + 8 * (i/2 mod 2), column 8 * (i/4) + 2 * (l mod 4) + i mod 2. */
    private void gather(int[] d) {
        int n = d.length * 2;
        for (int w = 0; w < 4; w++) {
            int[] words = warps.get(w).words;
            for (int i = 0; i < d.length; i++) {
                int at = (16 * w + 8 * (i >> 1 & 1)) * n + 8 * (i >> 2) + (i & 1);
                int register = d[i] * Warp.LANES;
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    tile[at + (lane >> 2) * n + 2 * (lane & 3)] = Float.intBitsToFloat(words[register + lane]);
                }
            }
        }
    }

    private void scatter(int[] d) {
        int n = d.length * 2;
        for (int w = 0; w < 4; w++) {
            int[] words = warps.get(w).words;
            for (int i = 0; i < d.length; i++) {
                int at = (16 * w + 8 * (i >> 1 & 1)) * n + 8 * (i >> 2) + (i & 1);
                int register = d[i] * Warp.LANES;
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    words[register + lane] = Float.floatToRawIntBits(tile[at + (lane >> 2) * n + 2 * (lane & 3)]);
                }
            }
        }
    }
}
