package dev.tilewright.space.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which scales cublasLt has, and by which numbers of its header. */
class VendorScalesTest {

    private static Problem problem(String types, int batch, String shape) {
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                batch,
                OperandTypes.parse(types),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private static Problem eight(Scales scales) {
        return problem("e4m3,e5m2,bf16", 1, "64x72x80").with(scales);
    }

    @Test
    void eachHasItsModes() {
        assertThat(VendorScales.of(eight(Scales.TENSOR))).hasValue(new VendorScales(0, 0));
        assertThat(VendorScales.of(eight(Scales.ROW))).hasValue(new VendorScales(3, 3));
        assertThat(VendorScales.of(eight(Scales.BLOCK)))
                .as("1 x 128 of A, 128 x 128 of B")
                .hasValue(new VendorScales(4, 5));
        assertThat(VendorScales.of(problem("bf16,bf16,bf16", 1, "64x72x80"))).isEmpty();
    }

    @Test
    void sumsWithScalesOfBlocksAreNotAskedToStayInTheTensorCores() {
        assertThat(VendorScales.of(eight(Scales.TENSOR)).orElseThrow().fast()).isTrue();
        assertThat(VendorScales.of(eight(Scales.ROW)).orElseThrow().fast()).isTrue();
        assertThat(VendorScales.of(eight(Scales.BLOCK)).orElseThrow().fast()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tensor | e4m3,e4m3,bf16 | 2 | 62x72x80 |",
                "row    | e4m3,e4m3,bf16 | 1 | 62x72x80 |",
                "block  | e4m3,e4m3,f32  | 1 | 60x72x80 |",
                "row    | e4m3,e4m3,bf16 | 2 | 64x72x80 | scales = row: cublasLt is asked for one GEMM at once, got 2",
                "row    | e4m3,e4m3,e4m3 | 1 | 64x72x80 | scales = row: cublasLt stores such products in bf16, f16 or f32,"
                        + " got d = e4m3",
                "block  | e4m3,e4m3,bf16 | 1 | 62x72x80 | scales = block: cublasLt multiplies an M and an N that are"
                        + " multiples of 4 alone, got 62x72x80",
                "block  | e4m3,e4m3,bf16 | 1 | 64x70x80 | scales = block: cublasLt multiplies an M and an N that are"
                        + " multiples of 4 alone, got 64x70x80",
            })
    void someAreRefusedWithTheReason(String scales, String types, int batch, String shape, String reason) {
        Problem problem = problem(types, batch, shape).with(Scales.parse(scales));
        assertThat(VendorScales.refusal(problem).orElse(null)).isEqualTo(reason);
        assertThat(new VendorSpace().refusal(problem).orElse(null))
                .as("the family of the library refuses alike")
                .isEqualTo(reason);
    }
}
