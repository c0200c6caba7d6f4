package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference on the GPU multiplies with scales of blocks as the host does. */
class BlockScalesReferenceTest {

    private static final int SEED = 7;

    /** A last block of N and of K that is shorter; each GEMM has scales of its own. */
    private static final Problem PROBLEM = new Problem(
            List.of(new ProblemShape(5, 8, 144), new ProblemShape(6, 136, 144)),
            1,
            OperandTypes.parse("e4m3,e5m2,bf16"),
            OperandMajors.DEFAULT,
            Scenario.QUIET,
            Epilogue.NONE,
            Scales.BLOCK);

    /** In the buffer of A there are 2 lines of 8 floats of the first GEMM, then as many of the second. */
    private static final int LAST_ROW_IN_LAST_BLOCK = 4 * (2 * 8 + 8 + 5);

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 14);
    private final KernelOracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));

    @Test
    void itAgreesWithTheHostAndSeesAnotherScale() {
        try (TestData data = TestData.create(gpu, oracle, PROBLEM, SEED)) {
            assertThatCode(() -> new ReferenceVerifier(gpu, data).verify(SEED)).doesNotThrowAnyException();
            assertThat(data.ofProblem()).isSameAs(data.plain());
            List<byte[]> scales = data.sets().stream().map(this::scalesOfA).toList();
            assertThat(scales)
                    .hasSizeGreaterThan(1)
                    .allSatisfy(each -> assertThat(each).isEqualTo(scales.getFirst()));

            long address = data.sets().getFirst().scales().orElseThrow().a().address();
            gpu.write(address + LAST_ROW_IN_LAST_BLOCK, new byte[] {0, 0, 0, 0x42});

            assertThatThrownBy(() -> new ReferenceVerifier(gpu, data).verify(SEED))
                    .hasMessageStartingWith("the reference of 6x136x144 of GEMM 1 is wrong at row 5");
        }
    }

    private byte[] scalesOfA(OperandSet set) {
        byte[] bytes = new byte[LAST_ROW_IN_LAST_BLOCK];
        gpu.read(set.scales().orElseThrow().a().address(), bytes);
        return bytes;
    }
}
