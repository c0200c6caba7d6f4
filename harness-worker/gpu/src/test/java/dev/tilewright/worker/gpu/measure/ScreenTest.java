package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTest {

    private final FakeGpu gpu = new FakeGpu();
    private final Screen screen = new Screen(
            new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), new FakeState(() -> 0), new BusyMeter(gpu)),
            TimingPlan.STANDARD);

    @ParameterizedTest
    @CsvSource({"10000, 200", "300001, 8", "400000, 6", "900000, 4", "1000000, 2", "9000000, 2"})
    void aRunLastsTwoMillisecondsAtTheLeastAndMeetsBothSetsEquallyOften(double launchNs, int launches) {
        Measurement measurement = screen.sustained(new FakeArm(gpu, "gemm", launchNs, 2, 1), null, 1)
                .measurement()
                .orElseThrow();
        assertThat(measurement.blocks()).isEqualTo(3);
        assertThat(measurement.launches()).isEqualTo(3 * launches);
        assertThat(measurement.medianNs()).isCloseTo(launchNs, within(1e-3));
        assertThat(measurement.stage()).isEqualTo(Stage.SCREEN);
        assertThat(measurement.ciLowNs()).isNotNull();
        assertThat(measurement.smClockMhz()).isEqualTo(1500);
        assertThat(measurement.powerWatts()).isEqualTo(700);
        assertThat(measurement.temperatureCelsius()).isEqualTo(60);
        assertThat(measurement.ratioToAnchor()).isNull();
    }

    @Test
    void aColdScreenFlushesBeforeEveryLaunch() {
        Measurement measurement = screen.cold(new FakeArm(gpu, "gemm", 7000, 2, 1));
        assertThat(measurement.mode()).isEqualTo(Mode.COLD);
        assertThat(measurement.medianNs()).isCloseTo(7000, within(1e-3));
        long flushes =
                gpu.history.stream().filter(entry -> entry.startsWith("fill")).count();
        long launches = gpu.history.stream().filter("gemm"::equals).count();
        assertThat(flushes).as("one more outside the plug").isEqualTo(launches + 1);
    }

    @Test
    void besideAnAnchorItIsARatioOfBlocksWhoseOrderAlternates() {
        FakeArm arm = new FakeArm(gpu, "gemm", 500_000, 2, 1);
        FakeArm anchor = new FakeArm(gpu, "anchor", 550_000, 2, 1);
        Screen.Result result = screen.sustained(arm, new Screen.Anchor(anchor, null), 1);
        Measurement measurement = result.measurement().orElseThrow();
        assertThat(measurement.medianNs()).isCloseTo(500_000, within(1e-3));
        assertThat(measurement.ratioToAnchor().value()).isCloseTo(1.1, within(1e-9));
        assertThat(measurement.ratioToAnchor().blocks()).isEqualTo(3);
        assertThat(result.launchNs(anchor).orElseThrow()).isCloseTo(550_000, within(1e-3));
        List<String> order =
                result.timed().blocks().stream().map(TimedBlock::arm).toList();
        assertThat(order.subList(2, 4))
                .as("the second block mirrors the first")
                .isEqualTo(order.subList(0, 2).reversed());
    }

    @Test
    void anAnchorWhoseDurationIsKnownIsNotWarmedUp() {
        FakeArm arm = new FakeArm(gpu, "gemm", 500_000, 2, 1);
        FakeArm anchor = new FakeArm(gpu, "anchor", 550_000, 2, 1);
        screen.sustained(arm, new Screen.Anchor(anchor, 550_000.0), 1);
        assertThat(anchor.launchedOn).as("3 runs of 4").hasSize(12);
        assertThat(arm.launchedOn).as("a warm-up of 5 and 3 runs of 4").hasSize(17);
    }

    @Test
    void aScreenThatIsDisturbedAgainAndAgainHasNoMeasurement() {
        Screen hot = new Screen(
                new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), new FakeState(() -> 0x40), new BusyMeter(gpu)),
                TimingPlan.STANDARD);
        Screen.Result result = hot.sustained(new FakeArm(gpu, "gemm", 7000, 2, 1), null, 1);
        assertThat(result.measurement()).isEmpty();
        assertThat(result.timed().discards())
                .hasSize(2)
                .allSatisfy(discard -> assertThat(discard.reason())
                        .isEqualTo("thermal slowdown by hardware (throttle reasons 0x40) while gemm ran"));
    }
}
