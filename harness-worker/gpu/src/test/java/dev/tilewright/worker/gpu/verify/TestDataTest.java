package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
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
                .isEqualTo(TestData.bytes(PROBLEM, Signs.RANDOM, gpu.info().l2Bytes()));
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
        OperandTypes eightBits = new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.E4M3);
        Problem small = new Problem(List.of(SHAPE), 1, eightBits, OperandMajors.DEFAULT, Scenario.QUIET);
        assertThatThrownBy(() -> TestData.create(gpu, oracle, small, 7))
                .hasMessage("no result is judged in a type of 8 bits, got e4m3");
    }

    private static final Problem SEVERAL = several(2, "16x24x8", "40x8x136", "8x32x16");

    private static Problem several(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    @Test
    void setsOfSeveralGemmsAreCountedByAllTheirInputs() {
        long inputs = 2L * 2 * (16 * 8 + 24 * 8 + 40 * 136 + 8 * 136 + 8 * 16 + 32 * 16);
        assertThat(TestData.setCount(SEVERAL, 5 * inputs)).isEqualTo(10);
        assertThat(TestData.setCount(SEVERAL, 5 * inputs + 1)).isEqualTo(11);
    }

    @Test
    void theMemoryOfSeveralGemmsIsKnownBefore() {
        long before = gpu.freeBytes();
        TestData data = TestData.create(gpu, oracle, SEVERAL, 7);
        assertThat(before - gpu.freeBytes())
                .isEqualTo(TestData.bytes(SEVERAL, Signs.RANDOM, gpu.info().l2Bytes()));
        data.close();
        assertThat(gpu.freeBytes()).isEqualTo(before);
    }

    @Test
    void eachGemmHasItsOwnReferenceWhichIsProved() {
        TestData data = TestData.create(gpu, oracle, SEVERAL, 7);
        assertThat(data.layout().gemms()).hasSize(6);
        new ReferenceVerifier(gpu, data).verify(11);
        for (int index = 0; index < 6; index++) {
            OperandLayout.Gemm gemm = data.layout().gemms().get(index);
            int last = gemm.shape().m() * gemm.shape().n() - 1;
            float right = gpu.at(data.plain().valueAt(gemm.d())).getFloat(4 * last);
            gpu.at(data.plain().valueAt(gemm.d())).putFloat(4 * last, right + 1);
            assertThatThrownBy(() -> new ReferenceVerifier(gpu, data).verify(11))
                    .hasMessageContaining(gemm.shape() + " of GEMM " + index(data, gemm))
                    .hasMessageContaining("row " + (gemm.shape().m() - 1) + ", column "
                            + (gemm.shape().n() - 1));
            gpu.at(data.plain().valueAt(gemm.d())).putFloat(4 * last, right);
        }
    }

    private static int index(TestData data, OperandLayout.Gemm gemm) {
        return data.layout().gemms().indexOf(gemm);
    }

    @Test
    void manyGemmsShareTheSamples() {
        assertThat(ReferenceVerifier.samples(1)).isEqualTo(256);
        assertThat(ReferenceVerifier.samples(4)).isEqualTo(256);
        assertThat(ReferenceVerifier.samples(16)).isEqualTo(64);
        assertThat(ReferenceVerifier.samples(5000)).isEqualTo(8);
    }

    @Test
    void everyElementOfEveryGemmIsJudged() {
        TestData data = TestData.create(gpu, oracle, SEVERAL, 7);
        Verifier verifier = new Verifier(gpu, oracle);
        OperandSet set = data.sets().getFirst();
        verifier.poison(List.of(set));
        int elements = 2 * (16 * 24 + 40 * 8 + 8 * 32);
        assertThat(verifier.judge(data, List.of(set)).complaints().getFirst())
                .startsWith(elements + " of " + elements + " elements wrong, " + elements + " still poisoned")
                .endsWith("the first at row 0, column 0 of GEMM 0");
        for (int at = 0; at < elements; at++) {
            float reference = gpu.at(data.plain().valueAt(0)).getFloat(4 * at);
            gpu.at(set.d().address()).putShort(2 * at, Bf16.ofFloat(reference));
        }
        Verifier.Verdict right = verifier.judge(data, List.of(set));
        assertThat(right.complaints()).isEmpty();
        assertThat(right.errorRatio()).isBetween(0.01, 1.0);

        // GEMM 3 is the second of the batch of the second group.
        OperandLayout.Gemm fourth = data.layout().gemms().get(3);
        gpu.at(data.addressOfD(set, fourth)).putShort(2 * (39 * 8 + 5), (short) 0x4640);
        assertThat(verifier.judge(data, List.of(set)).complaints().getFirst())
                .startsWith("1 of " + elements + " elements wrong, 0 still poisoned")
                .endsWith("the first at row 39, column 5 of GEMM 3");
    }

    @Test
    void theReferenceIsProvedAtRandomElementsAndAtAllTails() {
        List<ReferenceVerifier.Element> elements = ReferenceVerifier.elements(new ProblemShape(5000, 360, 64), 256, 3);
        for (int tail = 1; tail <= ReferenceVerifier.TAIL; tail++) {
            int row = 5000 - tail;
            int column = 360 - tail;
            assertThat(elements).filteredOn(e -> e.row() == row).hasSizeGreaterThan(150);
            assertThat(elements).filteredOn(e -> e.column() == column).hasSizeGreaterThan(200);
            assertThat(elements).contains(new ReferenceVerifier.Element(row, column));
        }
        assertThat(elements.stream().map(ReferenceVerifier.Element::row).distinct())
                .hasSizeGreaterThan(240);
    }

    @Test
    void aProblemSmallerThanTheTailsIsProvedWhole() {
        assertThat(ReferenceVerifier.elements(new ProblemShape(3, 2, 8), 256, 3))
                .hasSize(6);
    }

    @Test
    void aRightReferenceIsProvedAndAWrongOneIsNot() {
        TestData data = TestData.create(gpu, oracle, PROBLEM, 7);
        new ReferenceVerifier(gpu, data).verify(11);
        OperandLayout.Gemm gemm = data.layout().gemms().getFirst();
        int last = (48 * 40 - 1) * Float.BYTES;
        float right = gpu.at(data.plain().valueAt(gemm.d())).getFloat(last);
        gpu.at(data.plain().valueAt(gemm.d())).putFloat(last, right + 0.01f);
        assertThatThrownBy(() -> new ReferenceVerifier(gpu, data).verify(11))
                .hasMessageContaining("row 47, column 39")
                .hasMessageContaining("48x40x32");
        gpu.at(data.plain().valueAt(gemm.d())).putFloat(last, right);
        gpu.at(data.plain().allowanceAt(gemm.d())).putFloat(last, 0);
        assertThatThrownBy(() -> new ReferenceVerifier(gpu, data).verify(11)).hasMessageContaining("sum of |a b|");
    }

    @Test
    void theStoreMakesDataOnceAndLetsTheOldestGo() {
        long each = TestData.bytes(PROBLEM, Signs.RANDOM, gpu.info().l2Bytes());
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
