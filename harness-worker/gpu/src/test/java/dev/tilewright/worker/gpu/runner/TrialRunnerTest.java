package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuFunction;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrialRunnerTest {

    private final FakeRunner runner = FakeRunner.open();
    private final FakeGpu gpu = runner.gpu();
    private final List<String> announced = runner.announced();

    private TrialResult run(Kernel.Assembled kernel, Kernel.@Nullable Assembled traced) {
        return runner.run(Candidate.PROBLEM, kernel, traced);
    }

    @Test
    void aRightKernelIsVerifiedTimedVerifiedAgainAndTraced() {
        TrialResult done = run(Candidate.kernel("gemm"), Candidate.twin("traced"));
        assertThat(done.log()).isEmpty();
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.errorRatio()).isBetween(0.01, 1.0);
        assertThat(done.executed()).isEqualTo(new Executed(4, 1, 128));
        assertThat(done.measurements()).hasSize(1);
        assertThat(done.measurements().getFirst().medianNs()).isEqualTo(20_000, within(1e-6));
        assertThat(done.measurements().getFirst().smClockMhz())
                .as("too short to be counted")
                .isNull();
        assertThat(announced)
                .containsExactly("reference", "load", "verify", "load", "verify", "measure", "verify", "trace");
        assertThat(done.timesNs())
                .containsOnlyKeys("reference", "load", "verify", "measure", "trace", "gpuBusy", "gpuSpinFlush");
        assertThat(done.timesNs().get("verify"))
                .as("before the twin is loaded, behind it and after timing")
                .isEqualTo(30);
        assertThat(done.timesNs().get("load"))
                .as("the kernel and, while it warms up, its twin")
                .isEqualTo(20);
    }

    @Test
    void theTraceSaysHowManyTilesEachSmHad() {
        TrialResult done = run(Candidate.kernel("gemm"), Candidate.twin("traced"));
        assertThat(done.evidence()).isNotNull();
        assertThat(done.evidence().tilesPerSm()).containsExactly(2, 2, 1, 1);
        assertThat(done.evidence().lastEndNs()).containsExactly(200L, 200L, 100L, 100L);
        assertThat(done.evidence().tracedSlowdown()).isEqualTo(1.1, within(1e-9));
    }

    /** Durations of the fake GPU: 1000 ns for each kernel of the oracle and the plug, 100 ns for each fill. */
    @Test
    void saysForHowLongTheGpuWasBusyWithWhat() {
        run(Candidate.kernel("gemm"), null);
        gpu.history.clear();
        TrialResult second = run(Candidate.kernel("gemm"), null);

        long launches = gpu.history.stream().filter("gemm"::equals).count();
        assertThat((double) second.timesNs().get("gpuBusy"))
                .as("%d launches, and poison, comparisons and checksums of A and B", launches)
                .isBetween(launches * 20_000.0, launches * 20_000.0 + 25_000);
        assertThat(second.timesNs())
                .as("a plug of 1 us before the warm-up and before each run")
                .containsEntry("gpuSpinFlush", (1 + FakeRunner.PLAN.screenRuns()) * 1000L);
    }

    @Test
    void theReferenceAndTheTracedTwinCountToo() {
        TrialResult first = run(Candidate.kernel("gemm"), null);
        TrialResult second = run(Candidate.kernel("gemm"), null);
        TrialResult traced = run(Candidate.kernel("gemm"), Candidate.twin("traced"));

        assertThat(first.timesNs().get("gpuBusy") - second.timesNs().get("gpuBusy"))
                .as("two fills, the reference and the checksums of A and B take less than a launch of the kernel")
                .isBetween(1000L, 20_000L);
        long launches = gpu.history.stream().filter("traced"::equals).count();
        assertThat((double) traced.timesNs().get("gpuBusy") - second.timesNs().get("gpuBusy"))
                .as("%d launches of the twin, and poison and a comparison", launches)
                .isBetween(launches * 22_000.0, (launches + 1) * 22_000.0);
    }

    @Test
    void aFaultHasNoTimesOfTheGpu() {
        gpu.with("fault", 20_000, (any, p) -> any.fault());
        assertThat(run(Candidate.kernel("fault"), null).timesNs()).containsOnlyKeys("reference", "load", "verify");
    }

    @Test
    void outputsArePoisonedBeforeTheyAreJudged() {
        run(Candidate.kernel("gemm"), null);
        List<String> history = gpu.history;
        int first = history.indexOf("gemm");
        int compared = history.subList(first, history.size()).indexOf("compare_bf16") + first;
        assertThat(history.subList(0, first)).as("the output and its two zones").contains("fill 3840", "fill 4096");
        assertThat(history.subList(0, first)).doesNotContain("compare_bf16");
        List<String> afterVerify = history.subList(compared, history.size());
        int warmUp = afterVerify.indexOf("open");
        int timed = warmUp + afterVerify.subList(warmUp, afterVerify.size()).indexOf("spin");
        assertThat(afterVerify.subList(warmUp, timed).stream().filter("fill 3840"::equals))
                .as("all six sets are poisoned again behind the warm-up, before timing")
                .hasSize(6);
        assertThat(afterVerify.subList(afterVerify.lastIndexOf("open"), afterVerify.size()).stream()
                        .filter("compare_bf16"::equals))
                .as("and all that were used are judged after it")
                .hasSize(6);
    }

    @Test
    void oneWrongElementIsAMismatchAndNotTimed() {
        gpu.with("wrong", 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            any.at(p.get(2)).putShort(2 * (7 * 40 + 39), (short) 0x4640);
        });
        TrialResult done = run(Candidate.kernel("wrong"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log())
                .contains("before timing")
                .contains("1 of 1920 elements wrong")
                .contains("row 7, column 39");
        assertThat(done.errorRatio()).isGreaterThan(1);
        assertThat(done.measurements()).isEmpty();
    }

    @Test
    void anElementThatWasNotWrittenIsPoison() {
        gpu.with("lazy", 20_000, (any, p) -> {
            short kept = any.at(p.get(2)).getShort(2 * 1919);
            Candidate.multiply(any, p);
            any.at(p.get(2)).putShort(2 * 1919, kept);
        });
        TrialResult done = run(Candidate.kernel("lazy"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("1 still poisoned").contains("row 47, column 39");
        assertThat(done.errorRatio()).as("not a number is no ratio").isNull();
    }

    @Test
    void oneByteBehindTheOutputIsAMismatch() {
        gpu.with("overrun", 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            any.at(p.get(2)).put(2 * 1920, (byte) 0);
        });
        TrialResult done = run(Candidate.kernel("overrun"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("red zone written 0 bytes after the buffer");
    }

    @Test
    void aResultThatGoesWrongOnlyWhileTimedIsAMismatch() {
        AtomicInteger launches = new AtomicInteger();
        gpu.with("flaky", 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            if (launches.incrementAndGet() > 15) {
                any.at(p.get(2)).putShort(0, (short) 0x4640);
            }
        });
        TrialResult done = run(Candidate.kernel("flaky"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("after timing");
        assertThat(done.measurements()).hasSize(1);
    }

    @Test
    void whatAKernelNeedsEachLaunchIsTimed() {
        gpu.with("counting", 20_000, (any, p) -> {
            assertThat(any.at(p.get(3)).getInt(0))
                    .as("the counter is zero at each launch")
                    .isZero();
            any.at(p.get(3)).putInt(0, 17);
            Candidate.multiply(any, p);
        });
        BufferDemand counter = new BufferDemand(BufferRole.COUNTER, 16, BufferDemand.Zero.EACH_LAUNCH);
        TrialResult done = run(Candidate.kernel("counting", counter), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.measurements().getFirst().medianNs())
                .as("100 ns for the fill")
                .isEqualTo(20_100, within(1e-6));
    }

    @Test
    void aBufferThatIsZeroedOnceIsNotZeroedAgain() {
        gpu.with("counting", 20_000, (any, p) -> {
            assertThat(any.at(p.get(3)).getInt()).as("the kernel leaves zero").isZero();
            Candidate.multiply(any, p);
        });
        BufferDemand counter = new BufferDemand(BufferRole.COUNTER, 16, BufferDemand.Zero.ONCE);
        TrialResult done = run(Candidate.kernel("counting", counter), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.measurements().getFirst().medianNs()).isEqualTo(20_000, within(1e-6));
        assertThat(gpu.history.stream().filter("fill 16"::equals)).hasSize(1);
    }

    @Test
    void aKernelThatDoesNotLeaveItZeroIsWrong() {
        gpu.with("counting", 20_000, (any, p) -> {
            any.at(p.get(3)).putInt(0, any.at(p.get(3)).getInt(0) + 1);
            Candidate.multiply(any, p);
        });
        BufferDemand counter = new BufferDemand(BufferRole.COUNTER, 16, BufferDemand.Zero.ONCE);
        TrialResult done = run(Candidate.kernel("counting", counter), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log())
                .contains("result before timing: COUNTER is expected to stay unchanged, and was written to");
    }

    @Test
    void aFaultIsACrash() {
        gpu.with("fault", 20_000, (any, p) -> any.fault());
        TrialResult done = run(Candidate.kernel("fault"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(done.log()).contains("CUDA_ERROR_LAUNCH_FAILED (719)");
    }

    @Test
    void aRefusalOfTheDriverIsALaunchFailure() {
        assertThat(run(Candidate.kernel("unknown"), null).outcome()).isEqualTo(TrialOutcome.LAUNCH);
        gpu.with("refused", 1, (any, p) -> {
            throw FakeGpu.failure("cuLaunchKernelEx", 701);
        });
        TrialResult done = run(Candidate.kernel("refused"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.LAUNCH);
        assertThat(done.log()).contains("cuLaunchKernelEx").contains("701");
    }

    @Test
    void aTraceWithATileThatWasComputedTwiceIsAMismatch() {
        gpu.with("twice", 20_000, (any, p) -> {
            Candidate.multiplyTraced(any, p);
            any.at(p.get(3)).putInt(5 * 48, 2);
        });
        TrialResult done = run(Candidate.kernel("gemm"), Candidate.twin("twice"));
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("tile 5 of 6").contains("2 times");
    }

    @Test
    void whereTheDriverDiffersFromTheAssemblerIsLogged() {
        gpu.attributes.put("gemm", new GpuFunction.Attributes(40, 8, 2));
        TrialResult done = run(Candidate.kernel("gemm"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.log())
                .contains("assembler said 32, the driver 40")
                .contains("the entry requires 2")
                .contains("8 bytes of local memory");
        assertThat(done.executed()).isEqualTo(new Executed(4, 2, 128));
    }

    @Test
    void aTrialLeavesOnlyTheTestData() {
        run(Candidate.kernel("gemm"), Candidate.twin("traced"));
        int kept = gpu.allocations();
        run(Candidate.kernel("gemm"), Candidate.twin("traced"));
        assertThat(gpu.allocations()).isEqualTo(kept);
        assertThat(gpu.history.stream().filter("reference_gemm"::equals))
                .as("once for problem and seed")
                .hasSize(1);
    }

    @Test
    void aTrialThatCannotBeTimedInPeaceIsNoise() {
        GpuState hot = new Throttled();
        Workbench throttled = Workbench.open(gpu, hot, FakeRunner.PLAN, Peers.installed(gpu, Map.of()));
        TrialResult done = new TrialRunner(throttled, new Phases(() -> 0, announced::add))
                .run(new RunTrial(
                        Candidate.PROBLEM,
                        Candidate.CONFIG,
                        Candidate.kernel("gemm"),
                        null,
                        3,
                        List.of(Mode.SUSTAINED)))
                .answer();
        assertThat(done.outcome()).isEqualTo(TrialOutcome.NOISE);
        assertThat(done.measurements()).isEmpty();
        assertThat(done.log()).contains("discarded: power brake (throttle reasons 0x80) while kernel ran");
    }

    /** A GPU whose power supply is at its limit. */
    private static final class Throttled implements GpuState {
        @Override
        public OptionalDouble smClockMhz() {
            return OptionalDouble.of(600);
        }

        @Override
        public OptionalDouble powerWatts() {
            return OptionalDouble.of(300);
        }

        @Override
        public OptionalDouble temperatureCelsius() {
            return OptionalDouble.of(50);
        }

        @Override
        public OptionalLong throttleReasons() {
            return OptionalLong.of(0x80);
        }
    }

    @Test
    void theClockOfALongerRunIsCountedInCycles() {
        gpu.with("long", 200_000, Candidate::multiply);
        assertThat(run(Candidate.kernel("long"), null).measurements().getFirst().smClockMhz())
                .isEqualTo(1500, within(0.01));
    }
}
