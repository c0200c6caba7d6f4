package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StopwatchTest {

    private final FakeGpu gpu = new FakeGpu();
    private final BusyMeter meter = new BusyMeter(gpu);
    private final Stopwatch stopwatch =
            new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), new FakeState(() -> 0x4), meter);

    @BeforeEach
    void forgetTheFillOutsideThePlug() {
        gpu.history.clear();
    }

    @Test
    void launchesAreQueuedBehindAPlugAndBetweenTwoEvents() {
        Run run = stopwatch.sustained(new FakeArm(gpu, "gemm", 2000, 1, 1), 3);
        assertThat(gpu.history)
                .containsExactly("record", "shut", "record", "gemm", "gemm", "gemm", "record", "record", "open");
        assertThat(run.launchNs()).isCloseTo(2000, within(1e-6));
        assertThat(run.launches()).isEqualTo(3);
        assertThat(run.smClockMhz()).hasValue(1500);
        assertThat(run.powerWatts()).hasValue(700);
        assertThat(run.temperatureCelsius()).hasValue(60);
        assertThat(run.slowdown()).as("the power cap is how it works").isEmpty();
    }

    @Test
    void eachLaunchTakesTheNextSetOfOperandsAlsoFromRunToRun() {
        FakeArm arm = new FakeArm(gpu, "gemm", 2000, 3, 1);
        stopwatch.sustained(arm, 4);
        stopwatch.sustained(arm, 4);
        assertThat(arm.launchedOn).containsExactly(0, 1, 2, 0, 1, 2, 0, 1);
    }

    @Test
    void aLongRunIsCutSoThatTheQueueNeverFills() {
        Run run = stopwatch.sustained(new FakeArm(gpu, "gemm", 10, 1, 4), 300);
        assertThat(Collections.frequency(gpu.history, "shut")).isEqualTo(3);
        assertThat(Collections.frequency(gpu.history, "gemm")).isEqualTo(300);
        int last = gpu.history.indexOf("open");
        assertThat(gpu.history.subList(0, last).stream().filter("gemm"::equals)).hasSize(Stopwatch.MAX_ENTRIES / 4);
        assertThat(run.launchNs()).as("time between batches does not count").isCloseTo(10, within(1e-9));
    }

    /** The GPU never waits for the host to queue: that would cool it, and the slower the host the more. */
    @Test
    void whatIsTimedStandsBehindWhatSettlesBeforeThatHasEnded() {
        FakeState looked = new FakeState(() -> {
            gpu.history.add("look");
            return 0;
        });
        Stopwatch watch = new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), looked, meter);
        gpu.history.clear();
        Run run = watch.settled(new FakeArm(gpu, "gemm", 10, 1, 4), 200, 300);
        assertThat(run.launches()).isEqualTo(300);
        assertThat(run.launchNs()).isCloseTo(10, within(1e-9));
        assertThat(gpu.history.stream().filter(entry -> List.of("open", "look").contains(entry)))
                .as("two batches of the settling, three of the timed")
                .containsExactly("open", "open", "look", "open", "look", "open", "look", "open", "look", "look");
        assertThat(Collections.frequency(gpu.history, "gemm")).isEqualTo(500);
        assertThat(meter.take()).isEqualTo(new BusyMeter.Usage(5000, 0));
    }

    @Test
    void aColdLaunchIsBehindAFlushOfTwiceL2ThatIsNotTimed() {
        Run run = stopwatch.cold(new FakeArm(gpu, "gemm", 5000, 1, 1), 3);
        String flush = "fill " + 2 * gpu.info().l2Bytes();
        assertThat(gpu.history)
                .containsExactly(
                        "record", "shut", flush, "record", "gemm", "record", flush, "record", "gemm", "record", flush,
                        "record", "gemm", "record", "record", "open");
        assertThat(run.launchNs()).isCloseTo(5000, within(1e-6));
    }

    @Test
    void tellsTheMeterWhatWasWorkAndWhatWasNot() {
        stopwatch.sustained(new FakeArm(gpu, "gemm", 10, 1, 4), 300);
        assertThat(meter.take()).as("three batches").isEqualTo(new BusyMeter.Usage(3000, 0));

        stopwatch.cold(new FakeArm(gpu, "gemm", 5000, 1, 1), 3);
        assertThat(meter.take()).as("three flushes of 100 ns").isEqualTo(new BusyMeter.Usage(15_000, 300));
    }

    @Test
    void aRunWhosePlugGaveUpIsRepeated() {
        Iterator<Boolean> held = List.of(false, true).iterator();
        Stopwatch watch =
                new Stopwatch(gpu, new RecordingPlug(gpu, held::next), new FakeState(() -> 0), new BusyMeter(gpu));
        gpu.history.clear();
        watch.sustained(new FakeArm(gpu, "gemm", 10, 1, 1), 2);
        assertThat(Collections.frequency(gpu.history, "shut")).isEqualTo(2);
        assertThat(Collections.frequency(gpu.history, "gemm")).isEqualTo(4);
    }

    @Test
    void aHostThatIsAlwaysTooSlowIsAnError() {
        Stopwatch watch =
                new Stopwatch(gpu, new RecordingPlug(gpu, () -> false), new FakeState(() -> 0), new BusyMeter(gpu));
        assertThatThrownBy(() -> watch.sustained(new FakeArm(gpu, "gemm", 10, 1, 1), 2))
                .isInstanceOf(PlugGaveUpException.class)
                .hasMessageContaining("gave up 3 times");
    }

    /** Says what it is told and writes into the history of the fake GPU. */
    private record FixedCounter(FakeGpu gpu, Optional<Count> count) implements CycleCounter {
        @Override
        public Counting start() {
            gpu.history.add("cycles");
            return new Counting() {
                @Override
                public void stop() {
                    gpu.history.add("cycles");
                }

                @Override
                public Optional<Count> count() {
                    return count;
                }
            };
        }
    }

    private Run counted(Optional<CycleCounter.Count> count, int launches) {
        Stopwatch counting = new Stopwatch(
                gpu, new RecordingPlug(gpu, () -> true), new FakeState(() -> 0), meter, new FixedCounter(gpu, count));
        gpu.history.clear();
        return counting.sustained(new FakeArm(gpu, "gemm", 2000, 1, 1), launches);
    }

    @Test
    void theClockIsThatOfTheCyclesCountedAroundTheLaunches() {
        Run run = counted(Optional.of(new CycleCounter.Count(1_432_100, 1_000_000)), 2);
        assertThat(gpu.history)
                .containsExactly(
                        "record", "shut", "cycles", "record", "gemm", "gemm", "record", "cycles", "record", "open");
        assertThat(run.smClockMhz().orElseThrow()).isCloseTo(1432.1, within(1e-9));
        assertThat(run.launchNs()).as("counting is not timed").isCloseTo(2000, within(1e-9));
    }

    @Test
    void whereTooLittleWasCountedTheClockIsWhatTheStateOfTheGpuSays() {
        assertThat(counted(Optional.of(new CycleCounter.Count(100, 400_000)), 2).smClockMhz())
                .hasValue(1500);
        assertThat(counted(Optional.empty(), 2).smClockMhz()).hasValue(1500);
        assertThat(counted(Optional.of(new CycleCounter.Count(560_000, 400_000)), 600)
                        .smClockMhz())
                .as("two batches are enough")
                .hasValue(1400);
    }

    @Test
    void powerIsAskedForNowAndThenAndTheLastAnswerKept() {
        AtomicInteger asked = new AtomicInteger();
        GpuState slow = new GpuState() {
            @Override
            public OptionalDouble powerWatts() {
                return OptionalDouble.of(600 + asked.incrementAndGet());
            }
        };
        Stopwatch watch = new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), slow, meter);
        FakeArm arm = new FakeArm(gpu, "gemm", 2000, 1, 1);
        for (int run = 0; run < 16; run++) {
            assertThat(watch.sustained(arm, 1).powerWatts()).hasValue(601);
        }
        assertThat(watch.sustained(arm, 1).powerWatts()).hasValue(602);
        assertThat(asked).hasValue(2);
    }
}
