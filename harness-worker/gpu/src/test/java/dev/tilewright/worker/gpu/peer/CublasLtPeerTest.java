package dev.tilewright.worker.gpu.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.verify.KernelOracle;
import dev.tilewright.worker.gpu.verify.TestData;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether the vendor's library is a peer, before it is asked. */
class CublasLtPeerTest {

    private static String absent(String types, int batch) {
        EmulatedGpu gpu = new EmulatedGpu(1 << 10);
        Problem problem = new Problem(
                        List.of(new ProblemShape(64, 32, 16)),
                        batch,
                        OperandTypes.parse(types),
                        OperandMajors.DEFAULT,
                        Scenario.QUIET)
                .with(Scales.ROW);
        try (TestData data = TestData.create(gpu, new KernelOracle(gpu, new BusyMeter(gpu)), problem, 1);
                PeerArms arms = CublasLtPeer.arms(gpu, data, Map.of(CublasLtPeer.PATH_VARIABLE, "missing"))) {
            assertThat(arms).isInstanceOf(PeerArms.Absent.class);
            return ((PeerArms.Absent) arms).reason();
        }
    }

    @Test
    void scalesOfRowsAreAskedOfItAlone() {
        assertThat(absent("e4m3,e4m3,bf16", 2))
                .isEqualTo("scales = row: cublasLt is asked for one GEMM at once, got 2");
        assertThat(absent("e4m3,e4m3,bf16", 1)).contains("missing, which cannot be loaded");
    }
}
