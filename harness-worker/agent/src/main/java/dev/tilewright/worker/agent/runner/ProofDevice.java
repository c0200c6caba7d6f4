package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.time.Duration;
import java.util.List;

/** The emulator: proves a config, whose text it makes by itself. */
final class ProofDevice extends RunnerDevice {

    /** Whoever asks for a check of a text waits for it, and so do all that are behind it. */
    private static final Duration TEXT_LIMIT = Duration.ofMinutes(2);

    ProofDevice(Started started) {
        super(started);
    }

    @Override
    public boolean proves() {
        return true;
    }

    @Override
    RunnerRequest request(PreparedTrial trial) {
        return new RunnerRequest.Prove(
                trial.family(),
                trial.problem(),
                trial.config(),
                trial.seed(),
                ProofPlan.DEFAULT_SEEDS,
                trial.accept(),
                trial.kernel().bundle());
    }

    /** The emulator runs a small problem, however large the one is that was asked for. */
    @Override
    Duration limit(PreparedTrial trial) {
        return runnerLimits().trial();
    }

    /** A text of a user, which the emulator reads by itself. */
    @Override
    public GpuTaskResult run(GpuTask task, List<PreparedKernel> kernels) throws DeviceUnusableException {
        return switch (ended(new RunnerRequest.RunTask(task, List.of()), TEXT_LIMIT, RunnerReply.TaskDone.class)) {
            case Ended.Answered<RunnerReply.TaskDone>(RunnerReply.TaskDone(GpuTaskResult result)) -> result;
            case Ended.Lost<RunnerReply.TaskDone>(TrialOutcome outcome, String log) ->
                new GpuTaskResult.Failed(
                        outcome == TrialOutcome.TIMEOUT
                                ? "the check was ended after " + TEXT_LIMIT.toSeconds()
                                        + " s: make the problem of the launch smaller, or ask for fewer seeds"
                                : log.strip());
        };
    }

    @Override
    boolean mayBeReached() {
        return false;
    }
}
