package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums are judged by how far the mainloop says that they may be off. */
class ErrorOfSumsTest {

    private static final int M = 8;
    private static final int N = 16;
    private static final int K = 256;
    private static final long SEED = 5;

    private static final Problem PROBLEM = new Problem(
            List.of(new ProblemShape(M, N, K)),
            1,
            new OperandTypes(DataType.BF16, DataType.BF16, DataType.F32),
            OperandMajors.DEFAULT,
            Scenario.QUIET);

    @Test
    void theKernelsOwnBoundDecides() {
        GemmData plain = data(GemmFamilies.standard()
                .named(Kernels.FAMILY)
                .build(Kernels.config(""), false)
                .sumError());
        byte[] d = sums(plain.a(), plain.b());
        assertThat(plain.flaw(d, 1, Witness.NONE)).isEmpty();
        assertThat(data(new SumError.Rounded(0)).flaw(d, 1, Witness.NONE)).isPresent();
    }

    private static GemmData data(SumError sumError) {
        return new GemmData(PROBLEM, GemmData.Kind.NORMAL, SEED, sumError);
    }

    /** Plain f32 sums, one product after the other. */
    private static byte[] sums(byte[] a, byte[] b) {
        ByteBuffer d = ByteBuffer.allocate(M * N * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < M; row++) {
            for (int column = 0; column < N; column++) {
                float sum = 0;
                for (int k = 0; k < K; k++) {
                    sum += value(a, row * K + k) * value(b, column * K + k);
                }
                d.putFloat(sum);
            }
        }
        return d.array();
    }

    private static float value(byte[] values, int index) {
        return Bf16.toFloat(
                ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN).getShort(2 * index));
    }
}
