package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.space.vendor.VendorCapability;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cublasLt is told and how its answers are read, by a library of the test's own. */
class CublasGemmTest {

    private static final List<Integer> GOOD = List.of(66, 23, 4, 2, 0, 7, 35, 0, 300);

    private final Arena arena = Arena.ofConfined();
    private final ScriptedCublas script = new ScriptedCublas(arena);
    private final FakeGpu gpu = new FakeGpu().withMemory(65 << 20);

    @AfterEach
    void close() {
        arena.close();
    }

    private CublasGemm open(Problem problem) {
        return open(problem, OptionalLong.empty());
    }

    private CublasGemm open(Problem problem, OptionalLong bias) {
        return new CublasGemm(gpu, new CublasLibraries(script.library(), Optional.empty()), problem, bias);
    }

    private CublasGemm open() {
        return open(Problem.of(new ProblemShape(300, 200, 64), DataType.BF16));
    }

    @Test
    void matricesAreSaidColumnByColumn() {
        try (CublasGemm gemm = open()) {
            assertThat(gemm.library()).isEqualTo("libscripted.so 130100");
            assertThat(gemm.hasGemmEx()).isFalse();
            assertThat(script.calls)
                    .startsWith(
                            "operation 68 0",
                            "operation attribute 3 = 1",
                            "operation attribute 4 = 0",
                            "layout 14 64x200 64",
                            "layout 14 64x300 64",
                            "layout 14 200x300 200");
        }
        assertThat(script.calls).endsWith("destroy layout", "destroy layout", "destroy operation", "destroy handle");
    }

    @Test
    void batchesAndEightBitsAreSaidToo() {
        Problem problem = new Problem(
                List.of(new ProblemShape(32, 16, 64)),
                3,
                new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.F32),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        try (CublasGemm gemm = open(problem)) {
            assertThat(gemm.algorithms()).isEqualTo(1);
            assertThat(script.calls)
                    .contains(
                            "operation attribute 25 = 1",
                            "layout 29 64x16 64",
                            "layout attribute 5 = 3",
                            "layout attribute 6 = 1024",
                            "layout 0 16x32 16",
                            "layout attribute 6 = 512");
            gemm.all().capabilities();
            assertThat(script.calls).contains("ids of [68, 0, 29, 28, 0, 0]");
        }
    }

    private static Problem scaled(Scales scales) {
        return new Problem(
                        List.of(new ProblemShape(32, 16, 64)),
                        1,
                        new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16),
                        OperandMajors.DEFAULT,
                        Scenario.QUIET)
                .with(scales);
    }

    private float floatAt(long address) {
        byte[] bytes = new byte[Float.BYTES];
        gpu.read(address, bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getFloat();
    }

    @Test
    void scalesOfTensorsAreOneByAddress() {
        try (CublasGemm gemm = open(scaled(Scales.TENSOR))) {
            Map<Integer, Long> told = script.scales();
            assertThat(told).containsOnlyKeys(17, 18);
            told.values().forEach(address -> assertThat(floatAt(address)).isEqualTo(1));
            gemm.enqueue(0, new CublasGemm.Operands(1, 2, 3, 3));
            assertThat(script.scales()).as("they stay").isEmpty();
        }
        open().close();
        assertThat(script.scales()).as("inputs of 16 bits have none").isEmpty();
    }

    @Test
    void scalesOfRowsAreSaidBeforeTheHeuristicIsAskedAndAtEachLaunch() {
        try (CublasGemm gemm = open(scaled(Scales.ROW))) {
            assertThat(gemm.algorithms()).isEqualTo(1);
            assertThat(script.scales())
                    .containsOnlyKeys(17, 18, 31, 32)
                    .containsEntry(31, 3L)
                    .containsEntry(32, 3L);
            assertThat(script.calls).contains("operation attribute 25 = 1");
            gemm.enqueue(0, new CublasGemm.Operands(1, 2, 3, 3, 4, 5));
            assertThat(script.scales()).as("their A is our B").isEqualTo(Map.of(17, 5L, 18, 4L));
            gemm.enqueue(gemm.all().set(GOOD).taken().orElseThrow(), new CublasGemm.Operands(1, 2, 3, 3, 6, 7));
            assertThat(script.scales()).isEqualTo(Map.of(17, 7L, 18, 6L));
        }
    }

    @Test
    void scalesOfBlocksAreThoseOf128OfAAnd128By128OfB() {
        try (CublasGemm gemm = open(scaled(Scales.BLOCK))) {
            assertThat(gemm.algorithms()).isEqualTo(1);
            assertThat(script.scales()).containsEntry(31, 5L).containsEntry(32, 4L);
            assertThat(script.calls)
                    .as("the library has no such kernel with fast sums")
                    .doesNotContain("operation attribute 25 = 1");
        }
    }

    @Test
    void aLibraryOfBeforeThereWereScalesOfRowsIsRefused() {
        script.version = 120_804;
        assertThatThrownBy(() -> open(scaled(Scales.ROW)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "scales = row: libscripted.so 120804 has scales of tensors alone; version 120900 is the first"
                                + " with others");
        open(scaled(Scales.TENSOR)).close();
        assertThatThrownBy(() -> open(scaled(Scales.BLOCK).of(List.of(new ProblemShape(30, 16, 64)), 1)))
                .hasMessageContaining("multiples of 4 alone, got 30x16x64");
    }

    @Test
    void anEpilogueIsSaidWithItsBias() {
        Problem problem = new Problem(
                List.of(new ProblemShape(32, 16, 64)),
                3,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse("bias,gelu"));
        try (CublasGemm gemm = open(problem, OptionalLong.of(4096))) {
            assertThat(gemm.hasGemmEx()).isFalse();
            assertThat(script.calls)
                    .contains(
                            "operation attribute 7 = 36",
                            "operation attribute 8 = 4096",
                            "operation attribute 10 = 16");
        }
    }

    @Test
    void whatTheHeuristicReturnsIsLaunchedIfItsWorkspaceFits() {
        try (CublasGemm gemm = open()) {
            assertThat(gemm.algorithms()).isEqualTo(1);
            gemm.enqueue(0, new CublasGemm.Operands(111, 222, 333, 333));
            assertThat(script.calls)
                    .last()
                    .isEqualTo("matmul by 7 of 222 and 111 to 333 with 67108864 bytes on stream 1");
        }
    }

    @Test
    void theLibrarySaysWhatItsAlgorithmsCanBeSetTo() {
        try (CublasGemm gemm = open()) {
            assertThat(gemm.all().capabilities())
                    .as("21 cannot be made")
                    .containsExactly(new VendorCapability(66, List.of(20, 23), List.of(35), true, 2, 0, 7));
        }
    }

    @Test
    void anAlgorithmIsSetByItsNumbersAndLaunched() {
        try (CublasGemm gemm = open()) {
            CublasAlgorithm taken = gemm.all().set(GOOD).taken().orElseThrow();
            assertThat(script.calls).last().isEqualTo("check " + GOOD);
            gemm.enqueue(taken, new CublasGemm.Operands(1, 2, 3, 3));
            assertThat(script.calls).last().isEqualTo("matmul by 66 of 2 and 1 to 3 with 67108864 bytes on stream 1");
            assertThat(taken).isEqualTo(gemm.all().set(GOOD).taken().orElseThrow());
        }
    }

    @Test
    void aRefusalSaysWhatWasRefused() {
        try (CublasGemm gemm = open()) {
            assertThat(refusal(gemm, List.of(21, 23, 1, 0, 0, 0, 35, 0, 0)))
                    .isEqualTo("cublasLtMatmulAlgoInit of algorithm 21: CUBLAS_STATUS_NOT_SUPPORTED (15)");
            assertThat(refusal(gemm, List.of(66, 23, 1, 0, 0, 8, 35, 0, 0)))
                    .isEqualTo(
                            "cublasLtMatmulAlgoConfigSetAttribute of attribute 5 to 8: CUBLAS_STATUS_INVALID_VALUE (7)");
            assertThat(refusal(gemm, List.of(66, 20, 1, 0, 0, 0, 35, 0, 0)))
                    .isEqualTo("cublasLtMatmulAlgoCheck: CUBLAS_STATUS_NOT_SUPPORTED (15)");
            script.needs((64L << 20) + 1);
            assertThat(refusal(gemm, GOOD))
                    .isEqualTo("it needs 67108865 bytes of workspace, more than the 67108864 there are");
            assertThatThrownBy(() -> gemm.all().set(List.of(66)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("9 attributes");
        }
    }

    private static String refusal(CublasGemm gemm, List<Integer> attributes) {
        return ((CublasAlgorithms.Setting.Refused) gemm.all().set(attributes)).reason();
    }

    @Test
    void aCapturedLaunchSaysHowItsLargestKernelIsLaunched() {
        CapturedLaunch split = new CapturedLaunch(List.of(
                new CapturedLaunch.Other(2),
                new CapturedLaunch.Kernel("main", size(8, 16, 1), size(384, 1, 1), 2048, size(2, 1, 1)),
                new CapturedLaunch.Kernel("reduce", size(16, 1, 1), size(128, 1, 1), 0, size(0, 0, 0))));
        assertThat(split)
                .hasToString("node of type 2 + main grid 8x16x1 block 384x1x1 shared 2048 cluster 2x1x1"
                        + " + reduce grid 16x1x1 block 128x1x1 shared 0 cluster 0x0x0");
        assertThat(split.executed()).isEqualTo(new Executed(128, 2, 384));
        assertThatThrownBy(() -> new CapturedLaunch(List.of(new CapturedLaunch.Other(2))).executed())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without a kernel");
    }

    private static CapturedLaunch.Size size(int x, int y, int z) {
        return new CapturedLaunch.Size(x, y, z);
    }
}
