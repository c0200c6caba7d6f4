package dev.tilewright.space.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.space.vendor.VendorOperands.Matrix;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VendorOperandsTest {

    private static Problem problem(DataType a, DataType b, DataType d, Major majorA, Major majorB, Major majorD) {
        return new Problem(
                List.of(new ProblemShape(300, 200, 64)),
                1,
                new OperandTypes(a, b, d),
                new OperandMajors(majorA, majorB, majorD),
                Scenario.QUIET);
    }

    @Test
    void columnByColumnOurRowsAreTheirColumns() {
        VendorOperands kMajor = VendorOperands.of(Problem.of(new ProblemShape(300, 200, 64), DataType.BF16));
        assertThat(kMajor.a()).isEqualTo(new Matrix(14, 64, 300, false));
        assertThat(kMajor.b()).isEqualTo(new Matrix(14, 64, 200, true));
        assertThat(kMajor.d()).isEqualTo(new Matrix(14, 200, 300, false));
        VendorOperands others =
                VendorOperands.of(problem(DataType.F16, DataType.F16, DataType.F32, Major.M, Major.N, Major.N));
        assertThat(others.a()).isEqualTo(new Matrix(2, 300, 64, true));
        assertThat(others.b()).isEqualTo(new Matrix(2, 200, 64, false));
        assertThat(others.d()).isEqualTo(new Matrix(0, 200, 300, false));
        assertThat(others.halves()).isTrue();
        VendorOperands eight =
                VendorOperands.of(problem(DataType.E4M3, DataType.E5M2, DataType.BF16, Major.K, Major.K, Major.N));
        assertThat(eight.a().type()).isEqualTo(28);
        assertThat(eight.b().type()).isEqualTo(29);
        assertThat(eight.halves()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "E5M2 | E5M2 | BF16 | K | K | N | types a = e5m2, b = e5m2, d = bf16: cublasLt multiplies no e5m2 by e5m2",
                "E4M3 | E4M3 | BF16 | M | K | N | major a = m, b = k: cublasLt multiplies 8 bits K-major alone",
                "BF16 | BF16 | F16 | K | K | N | types a = bf16, b = bf16, d = f16: cublasLt multiplies bf16 or f16, both"
                        + " inputs of one type, and stores that type or f32",
                "F32 | F32 | F32 | K | K | N | types a = f32, b = f32, d = f32: cublasLt multiplies bf16 or f16, both"
                        + " inputs of one type, and stores that type or f32",
                "BF16 | BF16 | BF16 | K | K | M | major d = m: cublasLt is asked for a row-major D alone",
            })
    void refusesWhatTheLibraryDoesNotMultiply(
            DataType a, DataType b, DataType d, Major majorA, Major majorB, Major majorD, String reason) {
        Problem problem = problem(a, b, d, majorA, majorB, majorD);
        assertThat(VendorOperands.refusal(problem.types(), problem.major())).hasValue(reason);
        assertThatThrownBy(() -> VendorOperands.of(problem)).hasMessage(reason);
    }
}
