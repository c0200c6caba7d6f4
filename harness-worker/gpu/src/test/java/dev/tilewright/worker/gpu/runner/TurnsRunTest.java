package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kernels in turns, on a GPU of the test's own: all of them stay, however slow. */
class TurnsRunTest extends FinalOnFakeGpu {

    private FinalResult turns(String... entries) {
        List<RunnerRequest.Entrant> entrants =
                Stream.of(entries).map(FinalOnFakeGpu::entrant).toList();
        Workbench bench = Workbench.open(gpu, state, plan, this::vendor);
        RequestHandler.Answer answer = new GpuRequests(bench, () -> 0)
                .answer(
                        new RunnerRequest.RunTurns(Candidate.PROBLEM, entrants, 7),
                        new Phases(() -> 0, announced::add));
        assertThat(answer.usable()).isTrue();
        return ((RunnerReply.FinalDone) answer.reply().get()).result();
    }

    @Test
    void everyKernelRunsInEveryTurn() {
        gpu.with("slowest", 900_000, Candidate::multiply);
        FinalResult done = turns("slow", "fast", "slowest");

        assertThat(announced).containsExactly("reference", "load", "verify", "final", "verify");
        assertThat(done.arms()).extracting(Report.Arm::name).containsExactly("arm-slow", "arm-fast", "arm-slowest");
        for (Report.Arm arm : done.arms()) {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(arm.errorRatio()).isLessThan(1);
            Measurement sustained = arm.measurements().getFirst();
            assertThat(sustained.stage()).isEqualTo(Stage.FINAL);
            assertThat(sustained.blocks()).as("turns of " + arm.name()).isEqualTo(RULE.leastTurns());
        }
        assertThat(arm(done, "arm-slowest").measurements().getFirst().medianNs())
                .isCloseTo(900_000, within(1.0));
        assertThat(done.blocks())
                .hasSize(3 * RULE.leastTurns())
                .allSatisfy(block -> assertThat(block.mode()).isEqualTo(Mode.SUSTAINED));
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void aKernelWithAWrongResultIsNotTimedAndTheOthersAre() {
        gpu.with("wrong", 10_000, (arguments, memory) -> {});
        FinalResult done = turns("wrong", "fast");

        assertThat(arm(done, "arm-wrong").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "arm-wrong").measurements()).isEmpty();
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.blocks()).extracting(Report.Block::arm).containsOnly("arm-fast");
    }
}
