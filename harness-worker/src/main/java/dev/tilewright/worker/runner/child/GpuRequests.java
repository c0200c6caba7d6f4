package dev.tilewright.worker.runner.child;

import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.cuda.CudaException;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.verify.HealthProbe;
import java.util.function.LongSupplier;

/**
 * Runs requests on a GPU.
 *
 * @param nanoTime wall time for durations, in nanoseconds
 */
record GpuRequests(Workbench bench, LongSupplier nanoTime) implements RequestHandler {

    @Override
    public Answer answer(RunnerRequest request, Phases phases) {
        try {
            return switch (request) {
                case RunnerRequest.Probe _ -> new Answer(probe(), true);
                case RunnerRequest.RunTrial trial -> trial(trial, phases);
                case RunnerRequest.RunFinal round -> finalRound(round, phases);
                case RunnerRequest.Predict _, RunnerRequest.Prove _ ->
                    new Answer(new RunnerReply.Failed("this runner has a GPU, it predicts and proves nothing"), true);
            };
        } catch (CudaException failure) {
            return new Answer(new RunnerReply.Failed(String.valueOf(failure.getMessage())), !failure.isSticky());
        }
    }

    private RunnerReply probe() {
        long start = nanoTime.getAsLong();
        new HealthProbe(bench.gpu()).run(start);
        return new RunnerReply.Healthy(nanoTime.getAsLong() - start);
    }

    private Answer trial(RunnerRequest.RunTrial trial, Phases phases) {
        RunnerReply.TrialDone done = new TrialRunner(bench, phases).run(trial);
        return new Answer(done, done.outcome() != TrialOutcome.CRASH);
    }

    private Answer finalRound(RunnerRequest.RunFinal round, Phases phases) {
        RunnerReply.FinalDone done = new FinalRunner(bench, phases).run(round);
        return new Answer(done, done.arms().stream().noneMatch(arm -> arm.outcome() == TrialOutcome.CRASH));
    }
}
