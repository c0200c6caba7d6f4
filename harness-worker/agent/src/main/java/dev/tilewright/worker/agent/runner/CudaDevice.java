package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.FinalResult;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A GPU: runs kernels, makes the next trial ready meanwhile, and times finalists beside peers. */
final class CudaDevice extends RunnerDevice {

    CudaDevice(Started started) {
        super(started);
    }

    @Override
    public boolean needsTracedTwin() {
        return true;
    }

    @Override
    RunnerRequest request(PreparedTrial trial) {
        return new RunnerRequest.RunTrial(
                trial.problem(),
                trial.config(),
                kernel(trial.kernel()),
                trial.traced() == null ? null : kernel(trial.traced()),
                trial.anchor() == null ? null : kernel(trial.anchor()),
                trial.seed(),
                List.of(Mode.SUSTAINED));
    }

    @Override
    RunnerHost.@Nullable Following following(@Nullable PreparedTrial next) {
        return next == null || quarantine.holds(next.kernel().ptxHash())
                ? null
                : new RunnerHost.Following(request(next), limit(next));
    }

    @Override
    public void expect(Problem problem, long seed) throws DeviceUnusableException {
        if (!host().hasNext()) {
            RunnerHost.Outcome outcome = host().request(
                            new RunnerRequest.Prepare(problem, seed),
                            runnerLimits().trial(problem),
                            null);
            if (!(outcome instanceof RunnerHost.Outcome.Answered(RunnerReply.Prepared _))) {
                // The trial meets the same and says so; a runner in doubt is not used for it.
                host().discard();
                provenOrThrow();
            }
        }
    }

    @Override
    public FinalResult runFinal(PreparedFinal work) throws DeviceUnusableException {
        RunnerRequest request = new RunnerRequest.RunFinal(
                work.problem(),
                work.arms().stream()
                        .map(arm -> new RunnerRequest.Entrant(
                                arm.trialId().toString(),
                                arm.trialId(),
                                arm.team(),
                                arm.family(),
                                arm.config(),
                                kernel(arm.kernel())))
                        .toList(),
                work.finalists(),
                work.anchor() == null ? null : kernel(work.anchor()),
                work.peers(),
                work.seed(),
                List.of(Mode.SUSTAINED, Mode.COLD));
        FinalResult result = attempt(request, work);
        // Somebody killed the runner from outside: the final gets another try, as a trial does.
        boolean nobodysFault = !result.arms().isEmpty()
                && result.arms().stream().allMatch(arm -> arm.outcome() == TrialOutcome.INFRASTRUCTURE);
        return nobodysFault ? attempt(request, work) : result;
    }

    private FinalResult attempt(RunnerRequest request, PreparedFinal work) throws DeviceUnusableException {
        return switch (passed(
                request,
                runnerLimits()
                        .runFinal(
                                work.problem(), work.arms().size(), work.peers().size()),
                null)) {
            case RunnerHost.Outcome.Answered(
                    RunnerReply.FinalDone(var arms, var ratios, var blocks, var discards, var times, String log)) -> {
                if (arms.stream().anyMatch(arm -> arm.outcome() == TrialOutcome.CRASH)) {
                    host().discard();
                }
                yield new FinalResult(arms, ratios, blocks, discards, times, log);
            }
            case RunnerHost.Outcome.Answered(RunnerReply.Failed(String reason)) -> {
                host().discard();
                yield FinalResult.failed(work, TrialOutcome.INFRASTRUCTURE, "the runner failed: " + reason);
            }
            case RunnerHost.Outcome.Answered(RunnerReply other) -> {
                host().discard();
                yield FinalResult.failed(
                        work,
                        TrialOutcome.INFRASTRUCTURE,
                        "the runner sent an answer that was not asked for: " + other);
            }
            case RunnerHost.Outcome.Died(var status, String phase, String stderr) -> {
                provenOrThrow();
                yield FinalResult.failed(
                        work,
                        status.isKilledFromOutside() ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.CRASH,
                        "the runner ended with " + status + " in phase " + phase + "\n" + stderr);
            }
            case RunnerHost.Outcome.Hung(var limit, String phase, String stderr) -> {
                provenOrThrow();
                yield FinalResult.failed(
                        work,
                        TrialOutcome.TIMEOUT,
                        "killed after " + limit.toSeconds() + " s in phase " + phase + "\n" + stderr);
            }
        };
    }

    @Override
    public GpuTaskResult run(GpuTask task, List<PreparedKernel> kernels) throws DeviceUnusableException {
        RunnerRequest request = new RunnerRequest.RunTask(
                task, kernels.stream().map(CudaDevice::kernel).toList());
        return switch (passed(request, runnerLimits().task(task.problem()), null)) {
            case RunnerHost.Outcome.Answered(RunnerReply.TaskDone(GpuTaskResult result)) -> {
                if (result.crashed()) {
                    host().discard();
                }
                yield result;
            }
            case RunnerHost.Outcome.Answered(RunnerReply.Failed(String reason)) -> {
                host().discard();
                yield new GpuTaskResult.Failed("the runner failed: " + reason);
            }
            case RunnerHost.Outcome.Answered(RunnerReply other) -> {
                host().discard();
                yield new GpuTaskResult.Failed("the runner sent an answer that was not asked for: " + other);
            }
            case RunnerHost.Outcome.Died(var status, String phase, String stderr) -> {
                provenOrThrow();
                yield new GpuTaskResult.Failed(
                        ("the runner ended with " + status + " in phase " + phase + "\n" + stderr).strip());
            }
            case RunnerHost.Outcome.Hung(var limit, String phase, String stderr) -> {
                provenOrThrow();
                yield new GpuTaskResult.Failed(
                        ("killed after " + limit.toSeconds() + " s in phase " + phase + "\n" + stderr).strip());
            }
        };
    }

    private static Kernel kernel(PreparedKernel prepared) {
        Assembly assembly = prepared.assembly();
        if (assembly == null) {
            throw new IllegalArgumentException(
                    "a kernel that was not assembled cannot be loaded: " + prepared.ptxHash());
        }
        return new Kernel(assembly.cubin(), prepared.launch(), assembly.registers());
    }
}
