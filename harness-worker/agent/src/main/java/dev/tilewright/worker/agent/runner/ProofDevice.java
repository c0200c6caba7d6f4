package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.ScratchDirectory;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The emulator: proves a config, whose text it makes by itself. */
final class ProofDevice extends RunnerDevice {

    ProofDevice(Started started) {
        super(started);
    }

    /**
     * One whose runner is started when there is something to prove.
     *
     * @param scratch goes with the device
     */
    static ProofDevice idle(
            String label, Testbed testbed, ChildCommand command, RunnerLimits limits, ScratchDirectory scratch) {
        return new ProofDevice(new Started(
                label,
                testbed,
                DeviceLimits.of(testbed.smCount()),
                Optional.empty(),
                Optional.empty(),
                new RunnerHost(command, limits),
                limits,
                scratch));
    }

    @Override
    public Optional<String> refusal(FamilySpace family) {
        return family.isInstalled()
                ? Optional.of(FamilySpace.noText(family.family()) + ", and " + label() + " runs texts")
                : Optional.empty();
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
        Duration limit = runnerLimits().text();
        return switch (ended(new RunnerRequest.RunTask(task, List.of()), limit, RunnerReply.TaskDone.class)) {
            case Ended.Answered<RunnerReply.TaskDone>(RunnerReply.TaskDone(GpuTaskResult result)) -> result;
            case Ended.Lost<RunnerReply.TaskDone>(TrialOutcome outcome, String log) ->
                new GpuTaskResult.Failed(
                        outcome == TrialOutcome.TIMEOUT
                                ? "the check was ended after "
                                        + BigDecimal.valueOf(limit.toMillis(), 3)
                                                .stripTrailingZeros()
                                                .toPlainString()
                                        + " s: make the problem of the launch smaller, or ask for fewer seeds"
                                : log.strip());
        };
    }

    @Override
    boolean mayBeReached() {
        return false;
    }
}
