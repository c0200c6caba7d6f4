package dev.tilewright.worker.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExportNameTest {

    private static String name(
            int batch, OperandTypes types, OperandMajors majors, Scenario scenario, String... shapes) {
        List<ProblemShape> groups = Stream.of(shapes).map(ProblemShape::parse).toList();
        return KernelProgram.requireName(ExportName.of(new Problem(groups, batch, types, majors, scenario)));
    }

    @Test
    void saysTheProblem() {
        OperandTypes bf16 = OperandTypes.of(DataType.BF16);
        assertThat(name(1, bf16, OperandMajors.DEFAULT, Scenario.QUIET, "1000x1032x264"))
                .isEqualTo("gemm_1000x1032x264");
        assertThat(name(3, bf16, OperandMajors.DEFAULT, Scenario.QUIET.overlapping(), "8x16x24"))
                .isEqualTo("gemm_3_x_8x16x24_overlapped");
        assertThat(name(
                        1,
                        OperandTypes.of(DataType.F16),
                        new OperandMajors(Major.M, Major.K, Major.N),
                        Scenario.QUIET,
                        "8x16x24"))
                .isEqualTo("gemm_8x16x24_f16_mkn");
        assertThat(name(
                        1,
                        new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.F32),
                        OperandMajors.DEFAULT,
                        Scenario.QUIET,
                        "8x16x24",
                        "16x16x16"))
                .isEqualTo("gemm_8x16x24_16x16x16_e4m3_e5m2_f32");
    }

    @Test
    void saysScalesOfRowsAndTheEpilogue() {
        Problem rows = Problem.of(new ProblemShape(8, 16, 32), DataType.E4M3).with(Scales.ROW);
        assertThat(ExportName.of(rows)).isEqualTo("gemm_8x16x32_e4m3_row");
        assertThat(ExportName.of(rows.with(Epilogue.parse("bias")))).isEqualTo("gemm_8x16x32_e4m3_row_bias");
    }

    /** Two long names that begin alike are two names. */
    @Test
    void ofALongOneTheEndIsAHash() {
        OperandTypes bf16 = OperandTypes.of(DataType.BF16);
        String[] shapes = {"1000x1032x264", "1000x1032x264", "1000x1032x264", "1000x1032x264"};
        String one = name(1, bf16, OperandMajors.DEFAULT, Scenario.QUIET, shapes);
        shapes[3] = "8x8x8";
        String other = name(1, bf16, OperandMajors.DEFAULT, Scenario.QUIET, shapes);

        assertThat(one).hasSize(48).startsWith("gemm_1000x1032x264_1000x1032x264_");
        assertThat(other).startsWith(one.substring(0, 38)).isNotEqualTo(one);
    }
}
