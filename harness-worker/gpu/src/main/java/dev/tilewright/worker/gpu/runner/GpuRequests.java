package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.verify.HealthProbe;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs requests on a GPU.
 *
 * @param nanoTime wall time for durations, in nanoseconds
 */
record GpuRequests(Workbench bench, LongSupplier nanoTime) implements RequestHandler {

    /** The phase before a request has said more. */
    private static final String REPLY = "reply";

    @Override
    public Answer answer(RunnerRequest request, Phases phases) {
        return answer(request, phases, Optional::empty);
    }

    @Override
    public void rest() {
        bench.meter().enter(GpuTime.REQUEST);
    }

    @Override
    public Answer answer(RunnerRequest request, Phases phases, Supplier<Optional<RunnerRequest>> next) {
        bench.meter().enter(REPLY);
        try {
            return switch (request) {
                case RunnerRequest.Probe _ -> new Answer(probe(), true);
                case RunnerRequest.Prepare data -> prepare(data, phases);
                case RunnerRequest.RunTrial trial -> trial(trial, phases, next);
                case RunnerRequest.RunFinal round -> finalRound(round, phases);
                case RunnerRequest.RunTurns turns -> turns(turns, phases);
                case RunnerRequest.RunTask(GpuTask task, var kernels) -> task(task, kernels, phases);
                case RunnerRequest.Predict _, RunnerRequest.Prove _ ->
                    new Answer(new RunnerReply.Failed("this runner has a GPU: it neither predicts nor proves"), true);
            };
        } catch (CudaException failure) {
            return new Answer(new RunnerReply.Failed(String.valueOf(failure.getMessage())), !failure.isSticky());
        }
    }

    private RunnerReply probe() {
        new HealthProbe(bench.gpu()).run(nanoTime.getAsLong());
        return new RunnerReply.Healthy();
    }

    /** Prepares data. Its memory is counted for the trial that first asks for the data. */
    private Answer prepare(RunnerRequest.Prepare data, Phases phases) {
        phases.enter(Phases.REFERENCE);
        bench.meter().enter(Phases.REFERENCE);
        bench.data(data.problem(), data.seed());
        phases.leave();
        return new Answer(new RunnerReply.Prepared(), true);
    }

    private Answer trial(RunnerRequest.RunTrial trial, Phases phases, Supplier<Optional<RunnerRequest>> next) {
        TrialRunner.Ended ended = new TrialRunner(bench, phases, next).run(trial);
        return new Answer(() -> new RunnerReply.TrialDone(ended.answer()), ended.outcome() != TrialOutcome.CRASH);
    }

    private Answer task(GpuTask task, List<Kernel> kernels, Phases phases) {
        long start = nanoTime.getAsLong();
        try {
            GpuTaskResult result = switch (task) {
                case GpuTask.Compare compare -> new ComparisonRun(bench, phases).run(compare, kernels);
                case GpuTask.CheckText _ -> new GpuTaskResult.Failed("a GPU proves no text: the emulator does");
            };
            boolean usable = !result.crashed();
            GpuTaskResult told = result instanceof GpuTaskResult.Compared compared
                    ? compared.took((nanoTime.getAsLong() - start) / 1e9, usage(usable))
                    : result;
            return new Answer(new RunnerReply.TaskDone(told), usable);
        } finally {
            // What is not accounted for here is no part of the trial that comes next.
            bench.meter().forget();
        }
    }

    private Answer finalRound(RunnerRequest.RunFinal round, Phases phases) {
        return done(() -> new FinalRunner(bench, phases).run(round));
    }

    private Answer turns(RunnerRequest.RunTurns turns, Phases phases) {
        return done(() -> new TurnsRun(bench, phases).run(turns));
    }

    private Answer done(Supplier<FinalResult> run) {
        try {
            FinalResult result = run.get();
            boolean usable = result.arms().stream().noneMatch(arm -> arm.outcome() == TrialOutcome.CRASH);
            return new Answer(new RunnerReply.FinalDone(result.with(usage(usable))), usable);
        } finally {
            bench.meter().forget();
        }
    }

    /** Usage of the GPU since the request before; empty after a fault. */
    private Map<String, Long> usage(boolean usable) {
        return usable ? bench.meter().take().timesNs() : Map.of();
    }
}
