package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The exported program of an algorithm, compiled against declarations of the test's own and run with a library of the
 * test's own, which says what it was told.
 */
class LibraryExportTest {

    private static final Config CONFIG = Config.parse(
            "algorithmId=66 tileId=23 splitKNum=2 reductionScheme=2 ctaSwizzling=0 customOption=4 stagesId=35 innerShapeId=0"
                    + " clusterShapeId=300");

    @TempDir
    private Path folder;

    private static Problem problem(String types, int batch) {
        return new Problem(
                List.of(new ProblemShape(300, 200, 64)),
                batch,
                OperandTypes.parse(types),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private Gcc written(Problem problem, long version) throws IOException {
        Map<String, byte[]> files = LibraryExport.of("cublaslt", problem, CONFIG, version)
                .program("gemm", List.of("trial 1", "measured: 700.0 TFLOP/s"))
                .files();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
        }
        LibraryStub.write(folder);
        return new Gcc(folder);
    }

    private Gcc.Ended tested(Problem problem, long version) throws IOException, InterruptedException {
        Gcc.assumePresent();
        Gcc gcc = written(problem, version);
        gcc.compile("-I.", "gemm_test.c", "gemm.c", "library.c", "-o", "gemm_test");
        return gcc.run(Map.of(), "./gemm_test");
    }

    @Test
    void theLibraryIsToldTheAlgorithm() throws IOException, InterruptedException {
        Gcc.Ended ended = tested(problem("bf16,bf16,bf16", 1), 130_100);
        assertThat(ended.said())
                .contains(
                        "operation attribute 3 = 1",
                        "operation attribute 4 = 0",
                        "layout 14 64x200 64",
                        "layout 14 64x300 64",
                        "layout 14 200x300 200",
                        "init 66",
                        "set 1 = 23 of 4 bytes",
                        "set 2 = 2 of 4 bytes",
                        "set 3 = 2 of 4 bytes",
                        "set 5 = 4 of 4 bytes",
                        "set 6 = 35 of 4 bytes",
                        "set 7 = 0 of 2 bytes",
                        "set 8 = 300 of 2 bytes",
                        "check",
                        "matmul",
                        "gemm: ok, 0 of 60000 elements wrong")
                .doesNotContain("operation attribute 25");
        assertThat(ended.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'f16,f16,f16', 1, 60000", "'f16,f16,f32', 3, 180000", "'e4m3,e5m2,bf16', 1, 60000"})
    void otherTypesAndBatchesToo(String types, int batch, int elements) throws IOException, InterruptedException {
        Gcc.Ended ended = tested(problem(types, batch), 130_100);
        assertThat(ended.said()).contains("gemm: ok, 0 of " + elements + " elements wrong");
        assertThat(ended.said().contains("operation attribute 25 = 1")).isEqualTo(types.startsWith("e4m3"));
        assertThat(ended.said().contains("layout attribute 5 = 3")).isEqualTo(batch == 3);
    }

    /** M, N and K end within a block of 128, and D has other neighbours in each row and column. */
    @ParameterizedTest
    @CsvSource({"row, 3, 3, 1", "block, 5, 4, 0"})
    void scalesAreThoseOfTheProblem(String scales, int first, int second, int fast)
            throws IOException, InterruptedException {
        Problem eight = problem("e4m3,e5m2,f32", 1)
                .of(List.of(new ProblemShape(300, 200, 336)), 1)
                .with(Scales.parse(scales));
        Gcc.Ended ended = tested(eight, 130_100);
        assertThat(ended.said())
                .contains(
                        "operation attribute 31 = " + first,
                        "operation attribute 32 = " + second,
                        "gemm: ok, 0 of 60000 elements wrong");
        assertThat(ended.said().contains("operation attribute 25 = 1")).isEqualTo(fast == 1);
        assertThat(Files.readString(folder.resolve("gemm.h")))
                .contains("const float *scale_a, const float *scale_b", "scale_a has " + (fast == 1 ? 300 : 900));
    }

    /** The test of the program notices scales that lie otherwise. */
    @Test
    void scalesOfTheOtherOperandAreNoticed() throws IOException, InterruptedException {
        Gcc.assumePresent();
        Problem eight = problem("e4m3,e5m2,f32", 1)
                .of(List.of(new ProblemShape(200, 200, 336)), 1)
                .with(Scales.ROW);
        Gcc gcc = written(eight, 130_100);
        Path program = folder.resolve("gemm.c");
        Files.writeString(
                program,
                Files.readString(program)
                        .replace(
                                "A_SCALE_POINTER, &scale_b, sizeof scale_b",
                                "A_SCALE_POINTER, &scale_a, sizeof scale_a"));
        gcc.compile("-I.", "gemm_test.c", "gemm.c", "library.c", "-o", "gemm_test");
        Gcc.Ended ended = gcc.run(Map.of(), "./gemm_test");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said()).contains("gemm: WRONG");
    }

    @Test
    void anotherVersionOfTheLibraryIsRefused() throws IOException, InterruptedException {
        Gcc.Ended ended = tested(problem("bf16,bf16,bf16", 1), 130_200);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said())
                .isEqualTo(
                        "gemm: measured with version 130200 of cublasLt, and this process has 130100: tune and export"
                                + " again with that\n");
    }

    /** Where the toolkit has the real header, it takes the program. */
    @ParameterizedTest
    @EnumSource(Scales.class)
    void theRealHeaderTakesIt(Scales scales) throws IOException, InterruptedException {
        Gcc.assumePresent();
        Path include = Path.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda"), "include");
        assumeTrue(Files.exists(include.resolve("cublasLt.h")), "cublasLt.h is not in the CUDA toolkit");
        Gcc gcc = written(problem("e4m3,e4m3,bf16", 1).with(scales), 130_100);
        LibraryStub.deleteHeaders(folder);
        gcc.compile("-isystem", include.toString(), "-c", "gemm.c", "gemm_test.c");
    }

    @Test
    void itsFilesSayWhereItComesFrom() throws IOException {
        written(problem("bf16,bf16,bf16", 1), 130_100);
        assertThat(Files.readString(folder.resolve("gemm.h")))
                .startsWith("/* cublaslt on 300x200x64\n * trial 1\n * measured: 700.0 TFLOP/s\n")
                .contains("#define GEMM_CUBLASLT_VERSION 130100", "300x200x64 of bf16 and bf16, D bf16");
    }

    @Test
    void whatIsNoAlgorithmIsRefused() {
        assertThatThrownBy(() -> LibraryExport.of(
                        "cublaslt",
                        Problem.of(new ProblemShape(64, 64, 64), DataType.BF16),
                        Config.parse("algorithmId=66"),
                        1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tileId");
        assertThatThrownBy(() -> LibraryExport.of("cublaslt", problem("e5m2,e5m2,bf16", 1), CONFIG, 1))
                .hasMessageContaining("no e5m2 by e5m2");
        assertThatThrownBy(() -> LibraryExport.of(
                        "cublaslt",
                        problem("e4m3,e4m3,bf16", 1)
                                .of(List.of(new ProblemShape(30, 64, 64)), 1)
                                .with(Scales.BLOCK),
                        CONFIG,
                        1))
                .hasMessage("scales = block: cublasLt multiplies an M and an N that are multiples of 4 alone, got"
                        + " 30x64x64");
    }
}
