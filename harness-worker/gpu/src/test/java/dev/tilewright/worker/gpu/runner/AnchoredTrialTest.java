package dev.tilewright.worker.gpu.runner;

import static dev.tilewright.worker.gpu.runner.FakeRunner.PLAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Trials that are timed beside the anchor of their study. */
class AnchoredTrialTest {

    private final FakeRunner runner = FakeRunner.open();
    private final FakeGpu gpu = runner.gpu();

    private TrialResult runBeside(Kernel.Assembled kernel, Kernel.Assembled anchor) {
        return runner.run(Candidate.PROBLEM, kernel, null, anchor);
    }

    @Test
    void besideTheAnchorATrialHasItsRatioToIt() {
        gpu.with("anchor", 25_000, Candidate::multiply);
        TrialResult done = runBeside(Candidate.kernel("gemm"), Candidate.kernel("anchor"));
        assertThat(done.log()).isEmpty();
        assertThat(done.measurements().getFirst().medianNs()).isEqualTo(20_000, within(1e-6));
        assertThat(done.measurements().getFirst().ratioToAnchor().value()).isEqualTo(1.25, within(1e-9));
        assertThat(runner.announced()).containsExactly("reference", "anchor", "load", "verify", "measure", "verify");
    }

    @Test
    void theAnchorIsLoadedAndVerifiedOnceForAStudy() {
        gpu.with("anchor", 25_000, Candidate::multiply).with("other", 26_000, Candidate::multiply);
        runBeside(Candidate.kernel("gemm"), Candidate.kernel("anchor"));
        int kept = gpu.allocations();
        long launched = gpu.history.stream().filter("anchor"::equals).count();
        int screened = PLAN.screenRuns() * PLAN.leastLaunches();
        assertThat(launched).as("verified, warm-up, runs of a screen").isEqualTo(1 + PLAN.firstLaunches() + screened);
        runBeside(Candidate.kernel("gemm"), Candidate.kernel("anchor"));
        assertThat(gpu.history.stream().filter("anchor"::equals).count() - launched)
                .as("runs of a screen")
                .isEqualTo(screened);
        runBeside(Candidate.kernel("gemm"), Candidate.kernel("other"));
        assertThat(gpu.allocations()).as("one anchor is held").isEqualTo(kept);
        runner.bench().anchors().leaveAllBut(Candidate.PROBLEM);
        assertThat(gpu.allocations()).isEqualTo(kept);
        runner.bench().anchors().leaveAllBut(Problem.of(new ProblemShape(64, 40, 32), DataType.BF16));
        assertThat(gpu.allocations()).as("its six outputs are free").isEqualTo(kept - 6);
    }

    @Test
    void whatTheAnchorWritesDoesNotHideWhatATrialDoesNotWrite() {
        gpu.with("anchor", 25_000, Candidate::multiply);
        AtomicInteger launches = new AtomicInteger();
        gpu.with("lazy", 20_000, (any, p) -> {
            if (launches.getAndIncrement() == 0) {
                Candidate.multiply(any, p);
            }
        });
        TrialResult done = runBeside(Candidate.kernel("lazy"), Candidate.kernel("anchor"));
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("after timing").contains("1920 still poisoned");
    }

    @Test
    void aTrialIsTimedWithoutAnAnchorThatIsWrongOrRefused() {
        gpu.with("anchor", 25_000, (any, p) -> {});
        TrialResult wrong = runBeside(Candidate.kernel("gemm"), Candidate.kernel("anchor"));
        assertThat(wrong.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(wrong.log()).startsWith("timed without the anchor: wrong result");
        assertThat(wrong.measurements().getFirst().ratioToAnchor()).isNull();
        assertThat(runBeside(Candidate.kernel("gemm"), Candidate.kernel("unknown"))
                        .log())
                .startsWith("timed without the anchor: cuModuleGetFunction(unknown)");
    }

    @Test
    void aFaultOfTheAnchorIsNotBlamedOnTheTrial() {
        gpu.with("anchor", 25_000, (any, p) -> any.fault());
        assertThatThrownBy(() -> runBeside(Candidate.kernel("gemm"), Candidate.kernel("anchor")))
                .as("the runner has failed")
                .isInstanceOf(CudaException.class);
    }
}
