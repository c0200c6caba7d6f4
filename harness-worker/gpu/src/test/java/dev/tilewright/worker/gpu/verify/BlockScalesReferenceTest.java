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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference on the GPU multiplies with scales of blocks as the host does. */
class BlockScalesReferenceTest {

    private static final int SEED = 7;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 10);
    private final KernelOracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));

    private static Problem problem(String shapes) {
        return new Problem(
                Stream.of(shapes.split(" ")).map(ProblemShape::parse).toList(),
                1,
                OperandTypes.parse("e4m3,e5m2,bf16"),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.NONE,
                Scales.BLOCK);
    }

    /** Any M, and last blocks of N and of K that are shorter; of several GEMMs each has its own scales. */
    @ParameterizedTest
    @ValueSource(strings = {"6x136x272", "5x8x144 9x16x400"})
    void itAgreesWithTheHost(String shapes) {
        try (TestData data = TestData.create(gpu, oracle, problem(shapes), SEED)) {
            assertThatCode(() -> new ReferenceVerifier(gpu, data).verify(SEED)).doesNotThrowAnyException();
            assertThat(data.ofProblem()).isSameAs(data.plain());
        }
    }

    @Test
    void anotherScaleIsSeen() {
        try (TestData data = TestData.create(gpu, oracle, problem("6x136x272"), SEED)) {
            OperandSet first = data.sets().getFirst();
            // Of the last row in the last block of K.
            gpu.write(first.scales().orElseThrow().a().address() + 4 * (2 * 8 + 5), new byte[] {0, 0, 0, 0x42});

            assertThatThrownBy(() -> new ReferenceVerifier(gpu, data).verify(SEED))
                    .hasMessageStartingWith("the reference of 6x136x272 is wrong at row 5");
        }
    }

    /** There are as many sets as A and B of all exceed L2. */
    @Test
    void allSetsHaveTheSameScales() {
        EmulatedGpu large = new EmulatedGpu(1 << 13);
        KernelOracle own = new KernelOracle(large, new BusyMeter(large));
        try (TestData data = TestData.create(large, own, problem("6x8x144"), SEED)) {
            List<byte[]> scales = data.sets().stream()
                    .map(set -> {
                        byte[] bytes = new byte[4 * 2 * 8];
                        large.read(set.scales().orElseThrow().a().address(), bytes);
                        return bytes;
                    })
                    .toList();
            assertThat(scales)
                    .hasSizeGreaterThan(1)
                    .allSatisfy(each -> assertThat(each).isEqualTo(scales.getFirst()));
        }
    }
}
