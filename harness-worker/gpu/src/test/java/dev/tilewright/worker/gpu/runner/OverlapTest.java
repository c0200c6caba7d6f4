package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the host does while the GPU works, on clocks of their own: to load a module takes the host 30 us. */
class OverlapTest {

    private static final long LOADING = 30_000;

    private final FakeGpu gpu = new FakeGpu()
            .with("gemm", 20_000, Candidate::multiply)
            .with("other", 20_000, Candidate::multiply)
            .with("traced", 22_000, Candidate::multiplyTraced)
            .with("fault", 20_000, (any, p) -> any.fault())
            .with("refused", 20_000, (any, p) -> {
                throw FakeGpu.failure("cuLaunchKernelEx", 701);
            })
            .with("lazy", 20_000, (any, p) -> {})
            .loadingFor(LOADING);
    private final Workbench bench = Workbench.open(
            gpu, GpuState.UNKNOWN, FakeRunner.PLAN, (family, data) -> new PeerArms.Absent("none here"), gpu::hostNs);
    private final List<String> announced = new ArrayList<>();

    private static RunTrial trial(String entry) {
        return trial(Candidate.kernel(entry), Candidate.twin("traced"));
    }

    private static RunTrial trial(Kernel.Assembled kernel, Kernel.@Nullable Assembled twin) {
        return new RunTrial(Candidate.PROBLEM, Candidate.CONFIG, kernel, twin, 3, List.of(Mode.SUSTAINED));
    }

    private TrialResult run(RunTrial trial, @Nullable RunnerRequest next) {
        return new TrialRunner(bench, new Phases(gpu::hostNs, announced::add), () -> Optional.ofNullable(next))
                .run(trial)
                .answer();
    }

    private static Map<String, Long> waits(TrialResult done) {
        return done.timesNs().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("gpuWait."))
                .collect(Collectors.toMap(
                        entry -> entry.getKey().substring("gpuWait.".length()), entry -> entry.getValue()));
    }

    @Test
    void withoutANextTrialTheGpuWaitsForItsKernel() {
        run(trial("gemm"), null);
        TrialResult second = run(trial("other"), null);

        assertThat(waits(second))
                .as("the twin is loaded while the kernel warms up")
                .isEqualTo(Map.of("load", LOADING));
        assertThat(second.timesNs()).containsEntry("load", 2 * LOADING);
    }

    @Test
    void theNextTrialIsLoadedAndBegunWhileThisOneIsTraced() {
        RunTrial next = trial("other");
        TrialResult first = run(trial("gemm"), next);
        List<String> launched = List.copyOf(gpu.history);
        TrialResult second = run(next, null);

        assertThat(launched).containsSubsequence("traced", "other");
        assertThat(first.timesNs().get("ahead")).isGreaterThanOrEqualTo(LOADING);
        assertThat(second.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(second.evidence()).isNotNull();
        assertThat(waits(second)).as("the GPU goes from one trial to the next").isEmpty();
        assertThat(second.timesNs()).containsEntry("load", LOADING);
        assertThat(announced)
                .as("nothing is loaded while a kernel is timed")
                .containsSubsequence("measure", "verify", "trace", "ahead", "trace", "reference");
    }

    @Test
    void whatIsBegunAheadIsTheTimeOfItsOwnTrial() {
        run(trial("gemm"), null);
        TrialResult alone = run(trial("gemm"), null);
        RunTrial next = trial("other");
        TrialResult first = run(trial("gemm"), next);
        TrialResult second = run(next, null);

        assertThat(first.timesNs()).containsEntry("gpuBusy", alone.timesNs().get("gpuBusy"));
        assertThat(second.timesNs()).containsEntry("gpuBusy", alone.timesNs().get("gpuBusy"));
        assertThat(second.measurements()).isEqualTo(alone.measurements());
        assertThat(second.errorRatio()).isEqualTo(alone.errorRatio());
    }

    /** Neither is to blame before each was tried alone. */
    @Test
    void aFaultWhileTheNextTrialHasBegunIsNobodys() {
        RunTrial next = trial("fault");

        assertThatThrownBy(() -> run(trial("gemm"), next))
                .isInstanceOfSatisfying(
                        CudaException.class,
                        fault -> assertThat(fault.isSticky()).isTrue());
        assertThat(announced.getLast()).isEqualTo("ahead");
    }

    @Test
    void nothingIsWaitedForBetweenVerificationTimingAndTraces() {
        TrialResult first = run(trial("gemm"), null);

        assertThat(waits(first).keySet()).isSubsetOf("load", "reference");
    }

    /** To load, and to launch. */
    @ParameterizedTest
    @CsvSource({"unknown, unknown", "refused, 701"})
    void whatTheDriverRefusesAheadIsTheRefusalOfItsOwnTrial(String kernel, String reason) {
        RunTrial next = trial(kernel);
        TrialResult first = run(trial("gemm"), next);
        TrialResult second = run(next, null);

        assertThat(first.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(first.log()).isEmpty();
        assertThat(second.outcome()).isEqualTo(TrialOutcome.LAUNCH);
        assertThat(second.log()).contains(reason);
        assertThat(run(trial("other"), null).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }

    @Test
    void aFaultIsBlamedOnTheTrialThatRanAndTheNextIsNotLaunched() {
        TrialResult first = run(trial("fault"), trial("other"));

        assertThat(first.outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(gpu.history).doesNotContain("other");
    }

    @Test
    void whatWasLoadedForATrialThatDoesNotComeIsOfNoUseToAnother() {
        run(trial("gemm"), trial("other"));
        TrialResult second = run(trial("gemm"), null);

        assertThat(second.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(second.evidence()).isNotNull();
        List<String> after = gpu.history.subList(gpu.history.lastIndexOf("other") + 1, gpu.history.size());
        assertThat(after).as("what was begun is left, and this one begins anew").contains("gemm", "traced");
    }

    @Test
    void wrongResultsAreSeenInATrialThatWasBegunAhead() {
        RunTrial next = trial("lazy");
        TrialResult first = run(trial("gemm"), next);
        TrialResult second = run(next, null);

        assertThat(first.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(second.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(second.log()).contains("before timing");
    }

    @Test
    void trialsLeaveNoMemoryBehind() {
        run(trial("gemm"), null);
        int allocations = gpu.allocations();
        for (int i = 0; i < 40; i++) {
            RunTrial next = trial("other");
            run(trial("gemm"), next);
            run(next, null);
        }

        assertThat(gpu.allocations()).isBetween(allocations, allocations + 2);
    }
}
