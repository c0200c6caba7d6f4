package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RooflineTest {

    private static Testbed testbed(TestbedKind kind, String device) {
        return new Testbed(kind, device, "1", "x", 132, "factory");
    }

    @ParameterizedTest
    @CsvSource({
        "NVIDIA H200, 989.5, 4800",
        "h200, 989.5, 4800",
        "NVIDIA H100 80GB HBM3, 989.5, 3350",
        "b200, 2250, 8000",
        "NVIDIA GB200, 2500, 8000"
    })
    void isKnownByTheNameOfTheDevice(String device, double tflops, double bandwidth) {
        assertThat(Roofline.of(testbed(TestbedKind.CUDA, device))).contains(new Roofline(tflops, bandwidth));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NVIDIA H100 PCIe", "NVIDIA H200 NVL", "NVIDIA RTX 9000", "emulator"})
    void isNotGuessed(String device) {
        assertThat(Roofline.of(testbed(TestbedKind.CUDA, device))).isEmpty();
        assertThat(Roofline.of(testbed(TestbedKind.EMULATED, "h200"))).isEmpty();
    }

    @Test
    void theCloserOfTwoRatesCounts() {
        Roofline roofline = new Roofline(1000, 4000);
        Problem square = Problem.of(new ProblemShape(4096, 2048, 8192), DataType.BF16);
        Problem decode = Problem.of(new ProblemShape(1, 4096, 8192), DataType.BF16);

        assertThat(roofline.share(square, square.flops() / 700e3).getAsDouble()).isCloseTo(0.7, within(1e-9));
        assertThat(roofline.share(decode, decode.bytes() / 3000).getAsDouble()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void tensorCoresMultiplyOneByteInputsTwiceAsFast() {
        Roofline roofline = new Roofline(1000, 4000);
        ProblemShape shape = new ProblemShape(4096, 2048, 8192);
        Problem narrow = Problem.of(shape, DataType.E4M3);
        Problem wide = Problem.of(shape, DataType.BF16);
        double ns = wide.flops() / 500e3;

        assertThat(roofline.share(narrow, ns).getAsDouble()).isCloseTo(0.25, within(1e-9));
        assertThat(roofline.share(Problem.of(shape, DataType.F32), ns)).isEmpty();
    }

    @Test
    void everyOperandCountsOnceInItsOwnType() {
        Problem problem = new Problem(
                List.of(new ProblemShape(2, 3, 5), new ProblemShape(7, 11, 13)),
                10,
                new OperandTypes(DataType.E4M3, DataType.BF16, DataType.F32),
                OperandMajors.DEFAULT,
                Scenario.QUIET);

        assertThat(problem.bytes()).isEqualTo(10 * ((10 + 2 * 15 + 4 * 6) + (91 + 2 * 143 + 4 * 77)));
        assertThat(problem.gigabytesPerSecond(100)).isEqualTo(problem.bytes() / 100);
    }
}
