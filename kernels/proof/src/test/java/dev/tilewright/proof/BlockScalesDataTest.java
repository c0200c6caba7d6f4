package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a proof expects of scales of blocks, beside loops that are written out here: M and the number of blocks of K are
 * no multiples of 4, and the last blocks of N and of K are shorter.
 */
class BlockScalesDataTest {

    private static final int M = 6;
    private static final int N = 136;
    private static final int K = 272;
    private static final int PITCH_A = 8;
    private static final int PITCH_B = 4;
    private static final ElementType BYTE = ElementType.E4M3;

    private final Problem problem = new Problem(
            List.of(new ProblemShape(M, N, K)),
            1,
            OperandTypes.parse("e4m3,e4m3,f32"),
            OperandMajors.DEFAULT,
            Scenario.QUIET,
            Epilogue.NONE,
            Scales.BLOCK);

    /** The mistakes of a kernel. */
    private enum Mistake {
        NONE,
        NO_SCALES,
        NEIGHBOUR_ROW,
        WRONG_BLOCK_OF_K,
        TRANSPOSED_SCALES_OF_B,
        SHORT_BLOCK_LEFT_OUT
    }

    private static double get(byte[] bytes, int index, ElementType type) {
        return type.decode(Elements.get(bytes, index * type.bytes(), type));
    }

    private static byte[] product(GemmData data, Mistake mistake) {
        byte[] a = data.a();
        byte[] b = data.b();
        byte[] scaleA = data.added().get(BufferRole.SCALE_A);
        byte[] scaleB = data.added().get(BufferRole.SCALE_B);
        assertThat(scaleA).hasSize(4 * 3 * PITCH_A);
        assertThat(scaleB).hasSize(4 * 2 * PITCH_B);
        byte[] d = new byte[4 * M * N];
        for (int row = 0; row < M; row++) {
            for (int column = 0; column < N; column++) {
                double sum = 0;
                for (int k = 0; k < K; k++) {
                    int block = mistake == Mistake.WRONG_BLOCK_OF_K ? (k / 128 + 1) % 3 : k / 128;
                    int rowOfScale = mistake == Mistake.NEIGHBOUR_ROW ? (row + 1) % M : row;
                    int inB = mistake == Mistake.TRANSPOSED_SCALES_OF_B && block < 2
                            ? block * PITCH_B + column / 128
                            : column / 128 * PITCH_B + block;
                    double scale = mistake == Mistake.NO_SCALES
                            ? 1
                            : get(scaleA, block * PITCH_A + rowOfScale, ElementType.F32)
                                    * get(scaleB, inB, ElementType.F32);
                    if (mistake != Mistake.SHORT_BLOCK_LEFT_OUT || k < 256) {
                        sum += scale * get(a, row * K + k, BYTE) * get(b, column * K + k, BYTE);
                    }
                }
                Elements.put(d, 4 * (row * N + column), ElementType.F32, ElementType.F32.encode(sum));
            }
        }
        return d;
    }

    private Optional<Flaw> flaw(GemmData.Kind kind, Mistake mistake) {
        GemmData data = new GemmData(problem, kind, 5, new SumError.Rounded(2));
        return data.flaw(product(data, mistake), 1, Witness.NONE);
    }

    @ParameterizedTest
    @EnumSource
    void everyMistakeIsAFlaw(Mistake mistake) {
        for (GemmData.Kind kind : GemmData.Kind.values()) {
            assertThat(flaw(kind, mistake).isPresent()).as(kind.toString()).isEqualTo(mistake != Mistake.NONE);
        }
    }

    /** What lies between lines is no number: a kernel that reads it is seen. */
    @Test
    void padsAreNoNumbers() {
        GemmData data = new GemmData(problem, GemmData.Kind.NORMAL, 5, new SumError.Rounded(2));
        byte[] scaleA = data.added().get(BufferRole.SCALE_A);
        for (int line = 0; line < 3; line++) {
            for (int row = 0; row < PITCH_A; row++) {
                assertThat(Double.isNaN(get(scaleA, line * PITCH_A + row, ElementType.F32)))
                        .isEqualTo(row >= M);
            }
        }
    }
}
