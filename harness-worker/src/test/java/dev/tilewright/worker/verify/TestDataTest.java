package dev.tilewright.worker.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.device.cuda.FakeGpu;
import dev.tilewright.worker.measure.BusyMeter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestDataTest {

    private static final ProblemShape SHAPE = new ProblemShape(48, 40, 32);
    private static final Problem PROBLEM = Problem.of(SHAPE, DataType.BF16);

    private final FakeGpu gpu = new FakeGpu();
    private final KernelOracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));

    @Test
    void thereAreSoManySetsThatTheInputsExceedL2Twice() {
        assertThat(TestData.setCount(PROBLEM, 16 << 10)).isEqualTo(6);
        assertThat(TestData.setCount(problem(1024, 1024, 1024), 50 << 20)).isEqualTo(25);
        assertThat(TestData.setCount(problem(4096, 14_336, 4096), 50 << 20)).isEqualTo(1);
        assertThat(TestData.setCount(problem(8, 8, 8), 50 << 20)).isEqualTo(64);
    }

    @Test
    void allSetsHoldTheSameInputsAndAIsNotB() {
        TestData data = TestData.create(gpu, oracle, PROBLEM, 7);
        byte[] first = new byte[48 * 32 * 2];
        gpu.read(data.sets().getFirst().a().address(), first);
        byte[] last = new byte[first.length];
        gpu.read(data.sets().getLast().a().address(), last);
        assertThat(last).isEqualTo(first);
        byte[] b = new byte[40 * 32 * 2];
        gpu.read(data.sets().getLast().b().address(), b);
        assertThat(b).isNotEqualTo(Arrays.copyOf(first, b.length));
    }

    @Test
    void anotherSeedGivesOtherNumbers() {
        byte[] one = new byte[64];
        gpu.read(TestData.create(gpu, oracle, PROBLEM, 1).sets().getFirst().a().address(), one);
        byte[] two = new byte[64];
        gpu.read(TestData.create(gpu, oracle, PROBLEM, 2).sets().getFirst().a().address(), two);
        assertThat(one).isNotEqualTo(two);
    }

    @Test
    void closingGivesAllMemoryBack() {
        long before = gpu.freeBytes();
        TestData data = TestData.create(gpu, oracle, PROBLEM, 7);
        assertThat(before - gpu.freeBytes())
                .isEqualTo(TestData.bytes(PROBLEM, gpu.info().l2Bytes()));
        data.close();
        assertThat(gpu.freeBytes()).isEqualTo(before);
    }

    @Test
    void aDeviceThatIsTooSmallKeepsNothing() {
        FakeGpu small = new FakeGpu().withMemory(40_000);
        KernelOracle other = new KernelOracle(small, new BusyMeter(small));
        int before = small.allocations();
        assertThatThrownBy(() -> TestData.create(small, other, PROBLEM, 7)).hasMessageContaining("cuMemAlloc");
        assertThat(small.allocations()).isEqualTo(before);
    }

    @Test
    void refusesWhatItCannotJudge() {
        OperandTypes eightBits = OperandTypes.all(DataType.E4M3);
        Problem small = new Problem(List.of(SHAPE), 1, eightBits, OperandMajors.DEFAULT, Scenario.QUIET);
        assertThatThrownBy(() -> TestData.create(gpu, oracle, small, 7))
                .hasMessage("no result is judged in a type of 8 bits, got e4m3");
        Problem byColumns = new Problem(
                List.of(SHAPE),
                1,
                OperandTypes.all(DataType.BF16),
                new OperandMajors(Major.K, Major.K, Major.M),
                Scenario.QUIET);
        assertThatThrownBy(() -> TestData.create(gpu, oracle, byColumns, 7))
                .hasMessage("major d = m: only a row-major output can be verified on a GPU, d = n");
        Problem several = new Problem(
                List.of(SHAPE, SHAPE), 1, OperandTypes.all(DataType.BF16), OperandMajors.DEFAULT, Scenario.QUIET);
        assertThatThrownBy(() -> TestData.create(gpu, oracle, several, 7))
                .hasMessage("groups = 2 and batch = 1: only a single GEMM can be verified on a GPU; several run on"
                        + " the device emulated");
    }

    @Test
    void theReferenceIsProvedAtRandomElementsAndAtAllTails() {
        List<ReferenceProof.Element> elements = ReferenceProof.elements(new ProblemShape(5000, 360, 64), 3);
        for (int tail = 1; tail <= ReferenceProof.TAIL; tail++) {
            int row = 5000 - tail;
            int column = 360 - tail;
            assertThat(elements).filteredOn(e -> e.row() == row).hasSizeGreaterThan(150);
            assertThat(elements).filteredOn(e -> e.column() == column).hasSizeGreaterThan(200);
            assertThat(elements).contains(new ReferenceProof.Element(row, column));
        }
        assertThat(elements.stream().map(ReferenceProof.Element::row).distinct())
                .hasSizeGreaterThan(240);
    }

    @Test
    void aProblemSmallerThanTheTailsIsProvedWhole() {
        assertThat(ReferenceProof.elements(new ProblemShape(3, 2, 8), 3)).hasSize(6);
    }

    @Test
    void aRightReferenceIsProvedAndAWrongOneIsNot() {
        TestData data = TestData.create(gpu, oracle, PROBLEM, 7);
        new ReferenceProof(gpu, data).check(11);
        int last = (48 * 40 - 1) * Float.BYTES;
        float right = gpu.at(data.reference().address()).getFloat(last);
        gpu.at(data.reference().address()).putFloat(last, right + 0.01f);
        assertThatThrownBy(() -> new ReferenceProof(gpu, data).check(11))
                .hasMessageContaining("row 47, column 39")
                .hasMessageContaining("48x40x32");
        gpu.at(data.reference().address()).putFloat(last, right);
        gpu.at(data.magnitude().address()).putFloat(last, 0);
        assertThatThrownBy(() -> new ReferenceProof(gpu, data).check(11)).hasMessageContaining("sum of |a b|");
    }

    @Test
    void theStoreMakesDataOnceAndLetsTheOldestGo() {
        long each = TestData.bytes(PROBLEM, gpu.info().l2Bytes());
        FakeGpu small = new FakeGpu().withMemory(2 * each + 3000);
        TestDataStore store = new TestDataStore(small, new KernelOracle(small, new BusyMeter(small)), 1000);
        TestData one = store.get(PROBLEM, 1);
        TestData two = store.get(PROBLEM, 2);
        assertThat(store.get(PROBLEM, 1)).isSameAs(one);
        TestData three = store.get(PROBLEM, 3);
        assertThat(store.get(PROBLEM, 1)).as("used after the second").isSameAs(one);
        assertThat(store.get(PROBLEM, 3)).isSameAs(three);
        assertThat(store.get(PROBLEM, 2)).as("was let go").isNotSameAs(two);
    }

    @Test
    void theStoreSaysWhatAProblemNeedsThatDoesNotFit() {
        TestDataStore store = new TestDataStore(gpu, oracle, 0);
        assertThatThrownBy(() -> store.get(problem(16_384, 16_384, 64), 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("16384x16384x64");
    }

    @Test
    void theHealthProbeSeesOneWrongWord() {
        new HealthProbe(gpu).run(5);
        FakeGpu broken = new FakeGpu().with("fill_f32_integers", 1, (any, p) -> {
            for (int i = 0; i < p.get(1); i++) {
                int value = FillKernel.integerAt(p.get(2), i);
                any.at(p.get(0)).putFloat(4 * i, i == 70_000 ? value + 1 : value);
            }
        });
        assertThatThrownBy(() -> new HealthProbe(broken).run(5)).hasMessageContaining("element 70000");
    }

    private static Problem problem(int m, int n, int k) {
        return Problem.of(new ProblemShape(m, n, k), DataType.BF16);
    }
}
