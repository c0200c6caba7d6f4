package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Data of one sign stand beside those of random signs, with a reference and a bound of their own. */
class OneSignTest {

    private static final int K = 64;
    private static final long SEED = 7;
    /** Data of random signs take several sets to leave such an L2. */
    private static final long L2_BYTES = 4096;

    private static final Problem PROBLEM = new Problem(
            List.of(new ProblemShape(16, 16, K)),
            1,
            new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.BF16),
            OperandMajors.DEFAULT,
            Scenario.QUIET);

    private final EmulatedGpu gpu = new EmulatedGpu(L2_BYTES);
    private final Oracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));

    private byte[] elementsOfA(TestData data) {
        byte[] a = new byte[16 * K];
        gpu.read(data.sets().getFirst().a().address(), a);
        return a;
    }

    @Test
    void theyAreMagnitudesInOneSetWithTheBoundOfOneSign() {
        try (TestDataStore store = new TestDataStore(gpu, oracle, 0)) {
            TestData random = store.get(PROBLEM, SEED);
            TestData one = store.get(PROBLEM, Signs.ONE, SEED);
            byte[] magnitudes = elementsOfA(random);
            for (int i = 0; i < magnitudes.length; i++) {
                magnitudes[i] &= 0x7F;
            }
            assertThat(elementsOfA(one)).isEqualTo(magnitudes);
            assertThat(elementsOfA(random)).isNotEqualTo(magnitudes);
            assertThat(random.sets()).hasSizeGreaterThan(1);
            assertThat(one.sets()).hasSize(1);
            assertThat(one.plain().scale().of(K)).isEqualTo(SumError.Cut.WHOLE.of(K, Signs.ONE));
            assertThat(random.plain().scale().of(K)).isEqualTo(SumError.Cut.WHOLE.of(K, Signs.RANDOM));
            assertThat(store.held(PROBLEM, SEED)).containsSame(random);
        }
    }
}
