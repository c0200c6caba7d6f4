package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Trials beside held SMs. */
class BusyTrialTest {

    private static final Problem BUSY = Candidate.PROBLEM.beside(new Scenario(1));

    private final FakeRunner runner = FakeRunner.open();
    private final FakeGpu gpu = runner.gpu();

    /** The fake GPU refuses whatever waits for the whole device while SMs are held. */
    @Test
    void inABusyScenarioSmsAreHeldWhileItIsTimedAndTracedAndAtNoOtherTime() {
        gpu.with("walk", 22_000, (any, p) -> {
            Candidate.multiplyTraced(any, p);
            // SM 0 is held when it matters, by the only holder, which is on SM 1 ^ 1.
            for (int tile = 0; tile < 6; tile++) {
                any.at(p.get(3)).putInt(tile * TraceLayout.RECORD_BYTES + TraceLayout.SM_ID, 1 + tile % 3);
            }
        });
        gpu.holders().sm = holder -> 0;
        gpu.history.clear();
        TrialResult done = runner.run(BUSY, Candidate.kernel("gemm"), Candidate.twin("walk"));
        assertThat(done.log()).isEqualTo("SMs held while timed: 0");
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.evidence().heldSms()).containsExactly(0);
        assertThat(done.evidence().tilesPerSm()).containsExactly(0, 2, 2, 2);
        assertThat(gpu.history.stream().filter(List.of("hold 1", "let go")::contains))
                .containsExactly("hold 1", "let go", "hold 1", "let go");
        List<String> timed = gpu.history.subList(gpu.history.indexOf("hold 1"), gpu.history.indexOf("let go"));
        assertThat(timed.stream().filter("gemm"::equals))
                .as("warm-up and 3 runs of 5")
                .hasSize(20);
        assertThat(timed.stream().filter("beat"::equals)).hasSize(4);
        assertThat(timed).doesNotContain("compare_bf16");
        List<String> traced = gpu.history.subList(gpu.history.lastIndexOf("hold 1"), gpu.history.lastIndexOf("let go"));
        assertThat(traced.stream().filter("walk"::equals))
                .as("3 runs of 5 and 3 traces")
                .hasSize(18);
    }

    @Test
    void theReferenceIsTheSameInEveryScenario() {
        runner.run(Candidate.PROBLEM, Candidate.kernel("gemm"), null);
        runner.run(BUSY, Candidate.kernel("gemm"), null);
        assertThat(gpu.history.stream().filter("reference_gemm"::equals)).hasSize(1);
    }

    @Test
    void holdersThatGaveUpAreNoFaultOfTheKernelAndLeaveNoTime() {
        AtomicInteger launches = new AtomicInteger();
        gpu.with("slow", 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            if (launches.incrementAndGet() == 20) {
                any.holders().giveUp();
            }
        });
        assertThatThrownBy(() -> runner.run(BUSY, Candidate.kernel("slow"), null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("1 of 1 holders of SMs gave up");
        assertThat(gpu.holders().count()).isZero();
    }

    @Test
    void aKernelThatFaultsBesideHoldersIsACrashAllTheSame() {
        AtomicInteger launches = new AtomicInteger();
        gpu.with("fault", 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            if (launches.incrementAndGet() == 3) {
                any.fault();
            }
        });
        TrialResult done = runner.run(BUSY, Candidate.kernel("fault"), null);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(gpu.holders().count()).isZero();
    }
}
