package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.ChecksumKernel;
import dev.tilewright.gemm.oracle.ClockProbeKernel;
import dev.tilewright.gemm.oracle.CompareKernel;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.model.problem.DataType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What the oracle's kernels do, in plain Java. */
public final class FakeOracle {

    static final Map<String, FakeGpu.Kernel> KERNELS = Map.of(
            FillKernel.entry(DataType.BF16, FillKernel.Distribution.NORMAL),
            FakeOracle::normal,
            FillKernel.entry(DataType.F32, FillKernel.Distribution.INTEGERS),
            FakeOracle::integers,
            ReferenceGemmKernel.ENTRY,
            FakeOracle::reference,
            CompareKernel.ENTRY,
            FakeOracle::compare,
            ChecksumKernel.ENTRY,
            FakeOracle::checksum,
            ClockProbeKernel.ENTRY,
            FakeOracle::probe,
            SpinKernel.ENTRY,
            (gpu, p) -> gpu.spin(p.get(0)));

    private FakeOracle() {}

    /** 1.5 cycles a nanosecond, on SM 0. */
    private static void probe(FakeGpu gpu, List<Long> p) {
        gpu.at(p.get(0))
                .putLong(0, Math.round(gpu.clockNs()))
                .putLong(8, Math.round(1.5 * gpu.clockNs()))
                .putInt(16, 0);
    }

    private static void checksum(FakeGpu gpu, List<Long> p) {
        byte[] content = new byte[(int) (Integer.BYTES * p.get(1) + p.get(3))];
        gpu.at(p.get(0)).get(content);
        ByteBuffer sum = gpu.at(p.get(2));
        sum.putLong(0, sum.getLong(0) + ChecksumKernel.of(content));
    }

    private static void normal(FakeGpu gpu, List<Long> p) {
        Random random = new Random(p.get(2));
        ByteBuffer buffer = gpu.at(p.get(0));
        for (int i = 0; i < p.get(1); i++) {
            buffer.putShort(2 * i, Bf16.ofFloat((float) random.nextGaussian()));
        }
    }

    private static void integers(FakeGpu gpu, List<Long> p) {
        ByteBuffer buffer = gpu.at(p.get(0));
        for (int i = 0; i < p.get(1); i++) {
            buffer.putFloat(4 * i, FillKernel.integerAt(p.get(2), i));
        }
    }

    /** D and the sums of magnitudes, f32. */
    private static void reference(FakeGpu gpu, List<Long> p) {
        int m = p.get(4).intValue();
        int n = p.get(5).intValue();
        int k = p.get(6).intValue();
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                float[] sums = dot(gpu, p.get(0), p.get(1), k, row, column);
                gpu.at(p.get(2)).putFloat(4 * (row * n + column), sums[0]);
                gpu.at(p.get(3)).putFloat(4 * (row * n + column), sums[1]);
            }
        }
    }

    /** An element of D and its sum of magnitudes. */
    public static float[] dot(FakeGpu gpu, long a, long b, int k, int row, int column) {
        ByteBuffer left = gpu.at(a + 2L * row * k);
        ByteBuffer right = gpu.at(b + 2L * column * k);
        float sum = 0;
        float magnitude = 0;
        for (int i = 0; i < k; i++) {
            float product = Bf16.toFloat(left.getShort(2 * i)) * Bf16.toFloat(right.getShort(2 * i));
            sum += product;
            magnitude += Math.abs(product);
        }
        return new float[] {sum, magnitude};
    }

    private static void compare(FakeGpu gpu, List<Long> p) {
        float relative = Float.intBitsToFloat(p.get(5).intValue());
        float scale = Float.intBitsToFloat(p.get(6).intValue());
        long failing = 0;
        long poisoned = 0;
        long first = -1;
        float most = 0;
        for (int i = 0; i < p.get(4); i++) {
            short bits = gpu.at(p.get(0)).getShort(2 * i);
            float reference = gpu.at(p.get(1)).getFloat(4 * i);
            float error = Math.abs(Bf16.toFloat(bits) - reference);
            float ratio = error == 0
                    ? 0
                    : error
                            / (relative * Math.abs(reference)
                                    + scale * gpu.at(p.get(2)).getFloat(4 * i));
            most = Float.isNaN(ratio) || Float.isNaN(most) ? Float.NaN : Math.max(most, ratio);
            if (!(ratio <= 1)) {
                failing++;
                first = first < 0 ? i : first;
            }
            poisoned += Short.toUnsignedInt(bits) == p.get(7) ? 1 : 0;
        }
        gpu.at(p.get(3))
                .putLong(0, failing)
                .putLong(8, poisoned)
                .putLong(16, first)
                .putFloat(24, most);
    }
}
