package dev.tilewright.worker.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.device.cuda.FakeGpu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(48, 40, 32), DataType.BF16);

    private final FakeGpu gpu = new FakeGpu();
    private final Screen screen = new Screen(
            new Stopwatch(gpu, new RecordingGate(gpu, () -> true), new FakeState(() -> 0), new BusyMeter(gpu)),
            TimingPlan.STANDARD);

    @ParameterizedTest
    @CsvSource({"10000, 200", "300001, 7", "400000, 5", "9000000, 5"})
    void aRunLastsTwoMillisecondsAndFiveLaunchesAtTheLeast(double launchNs, int launches) {
        Measurement measurement = screen.measure(PROBLEM, new FakeArm(gpu, "gemm", launchNs, 2, 1), Mode.SUSTAINED);
        assertThat(measurement.blocks()).isEqualTo(3);
        assertThat(measurement.launches()).isEqualTo(3 * launches);
        assertThat(measurement.medianNs()).isCloseTo(launchNs, within(1e-3));
        assertThat(measurement.stage()).isEqualTo(Stage.SCREEN);
        assertThat(measurement.tflops()).isCloseTo(2.0 * 48 * 40 * 32 / launchNs / 1e3, within(1e-9));
        assertThat(measurement.ciLowNs()).isNotNull();
        assertThat(measurement.smClockMhz()).isEqualTo(1500);
    }

    @Test
    void aColdScreenFlushesBeforeEveryLaunch() {
        Measurement measurement = screen.measure(PROBLEM, new FakeArm(gpu, "gemm", 7000, 2, 1), Mode.COLD);
        assertThat(measurement.mode()).isEqualTo(Mode.COLD);
        assertThat(measurement.medianNs()).isCloseTo(7000, within(1e-3));
        long flushes =
                gpu.history.stream().filter(entry -> entry.startsWith("fill")).count();
        long launches = gpu.history.stream().filter("gemm"::equals).count();
        assertThat(flushes).as("one more outside the gate").isEqualTo(launches + 1);
    }
}
