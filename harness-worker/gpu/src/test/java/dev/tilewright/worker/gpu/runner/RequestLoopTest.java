package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestLoopTest {

    private final FakeGpu gpu =
            new FakeGpu().with("gemm", 20_000, Candidate::multiply).with("fault", 20_000, (any, p) -> any.fault());
    private final AtomicLong now = new AtomicLong();
    private final RequestLoop loop = new RequestLoop(
            new GpuRequests(
                    Workbench.open(
                            gpu, GpuState.UNKNOWN, FakeRunner.PLAN, (family, data) -> new PeerArms.Absent("none here")),
                    () -> now.addAndGet(5)),
            () -> now.addAndGet(5));
    private boolean servedToTheEnd;

    private List<RunnerReply> answers(RunnerRequest... requests) throws IOException {
        ByteArrayOutputStream asked = new ByteArrayOutputStream();
        try (var host =
                new CborChannel<RunnerRequest, RunnerReply>(InputStream.nullInputStream(), asked, RunnerReply.class)) {
            for (RunnerRequest request : requests) {
                host.send(request);
            }
        }
        ByteArrayOutputStream answered = new ByteArrayOutputStream();
        servedToTheEnd = loop.serve(
                new CborChannel<>(new ByteArrayInputStream(asked.toByteArray()), answered, RunnerRequest.class));
        return WrittenReplies.of(answered);
    }

    private static RunTrial trial(String entry) {
        return new RunTrial(
                Candidate.PROBLEM, Candidate.CONFIG, Candidate.kernel(entry), null, 3, List.of(Mode.SUSTAINED));
    }

    @Test
    void answersOneRequestAfterTheOtherAndEndsWithItsInput() throws IOException {
        List<RunnerReply> replies = answers(new RunnerRequest.Probe(), trial("gemm"), new RunnerRequest.Probe());
        assertThat(replies).first().isEqualTo(new RunnerReply.Healthy());
        assertThat(replies).last().isInstanceOf(RunnerReply.Healthy.class);
        assertThat(replies).filteredOn(RunnerReply.Phase.class::isInstance).hasSize(5);
        assertThat(replies.get(replies.size() - 2))
                .isInstanceOfSatisfying(
                        RunnerReply.TrialDone.class,
                        done -> assertThat(done.result().outcome()).isEqualTo(TrialOutcome.COMPLETED));
        assertThat(servedToTheEnd).isTrue();
    }

    @Test
    void dataThatWereMadeAheadAreNotMadeAgain() throws IOException {
        RunTrial trial = trial("gemm");
        List<RunnerReply> made = new RequestLoopTest().answers(trial);
        List<RunnerReply> replies = answers(new RunnerRequest.Prepare(trial.problem(), trial.seed()), trial);
        assertThat(replies).contains(new RunnerReply.Prepared());
        assertThat(gpu.history.stream().filter("reference_gemm"::equals)).hasSize(1);
        // As if the trial had made them.
        assertThat(busyNs(replies)).isEqualTo(busyNs(made));
    }

    private static long busyNs(List<RunnerReply> replies) {
        TrialResult done = ((RunnerReply.TrialDone) replies.getLast()).result();
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        return done.timesNs().get("gpuBusy");
    }

    @Test
    void aFaultIsAnsweredAndThenNothingMoreIsRun() throws IOException {
        List<RunnerReply> replies = answers(trial("fault"), trial("gemm"));
        assertThat(replies)
                .last()
                .isInstanceOfSatisfying(
                        RunnerReply.TrialDone.class,
                        done -> assertThat(done.result().outcome()).isEqualTo(TrialOutcome.CRASH));
        assertThat(gpu.history).doesNotContain("gemm");
        assertThat(servedToTheEnd).isFalse();
    }

    @Test
    void whatTheRunnerCannotDoIsFailedAndItGoesOn() throws IOException {
        Problem huge = Problem.of(new ProblemShape(100_000, 100_000, 64), DataType.BF16);
        List<RunnerReply> replies = answers(
                new RunTrial(huge, Candidate.CONFIG, Candidate.kernel("gemm"), null, 3, List.of(Mode.SUSTAINED)),
                new RunnerRequest.Probe());
        assertThat(replies)
                .anySatisfy(reply -> assertThat(reply)
                        .isInstanceOfSatisfying(
                                RunnerReply.Failed.class,
                                failed -> assertThat(failed.reason())
                                        .contains("100000x100000x64")
                                        .contains("are free")));
        assertThat(replies).last().isInstanceOf(RunnerReply.Healthy.class);
    }

    @Test
    void aFinalIsAnsweredWithItsArms() throws IOException {
        RunnerRequest.Entrant entrant = new RunnerRequest.Entrant(
                "a", UUID.randomUUID(), 0, "sm90-gemm", Candidate.CONFIG, Candidate.kernel("gemm"));
        List<RunnerReply> replies = answers(new RunnerRequest.RunFinal(
                Candidate.PROBLEM, List.of(entrant), 3, null, List.of("cublaslt"), 4, List.of(Mode.SUSTAINED)));
        assertThat(replies).last().isInstanceOfSatisfying(RunnerReply.FinalDone.class, done -> {
            assertThat(done.arms()).hasSize(1);
            assertThat(done.blocks()).hasSize(6);
            assertThat(done.log()).contains("cublaslt is absent: none here");
            assertThat(done.timesNs()).containsKeys("load", "final", GpuTime.SPIN_FLUSH);
            assertThat(done.timesNs().get(GpuTime.BUSY)).isPositive();
        });
    }
}
