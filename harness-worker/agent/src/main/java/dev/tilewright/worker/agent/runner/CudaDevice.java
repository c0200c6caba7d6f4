package dev.tilewright.worker.agent.runner;

import dev.tilewright.bundle.TimedLaunch;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.agent.device.PreparedTurns;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A GPU: runs kernels, makes the next trial ready meanwhile, and times finalists beside peers. */
final class CudaDevice extends RunnerDevice {

    private static final Logger LOG = System.getLogger(CudaDevice.class.getName());

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
    public Optional<String> refusal(Problem problem, PreparedKernel kernel) {
        return kernel instanceof PreparedKernel.Built built && built.bundle() != null
                ? ofAnotherGpu(built).or(() -> TimedLaunch.refusal(problem, built.launch()))
                : Optional.empty();
    }

    private Optional<String> ofAnotherGpu(PreparedKernel.Built kernel) {
        GpuTarget compiledFor = kernel.broughtFor();
        return target().filter(gpu -> compiledFor != null && !compiledFor.runsOn(gpu))
                .map(gpu -> "a cubin for " + compiledFor + " does not run on " + label() + ", "
                        + testbed().device() + ", which runs those for " + gpu);
    }

    @Override
    RunnerHost.@Nullable Following following(@Nullable PreparedTrial next) {
        return next == null || quarantine.holds(next.kernel().hash())
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

    /** A peer's kernel that brings down the GPU costs itself, not the final: that is run again without it. */
    @Override
    public FinalResult runFinal(PreparedFinal work, Runnable raced) throws DeviceUnusableException {
        FinalResult result = tried(work, raced);
        Suspects suspects = Suspects.of(work, result);
        if (suspects.isNone()) {
            return result;
        }
        LOG.log(Level.WARNING, suspects.why());
        blame(suspects.rivals());
        return suspects.joined(runFinal(work.without(suspects.rivals()), raced));
    }

    private FinalResult tried(PreparedFinal work, Runnable raced) throws DeviceUnusableException {
        long start = System.nanoTime();
        FinalResult result = attempt(work, raced);
        // Somebody killed the runner from outside: the final gets another try, as a trial does. So it does if a kernel
        // that was looked for brought down the GPU: nobody looks again.
        boolean nobodysFault = !result.arms().isEmpty()
                && result.arms().stream().allMatch(arm -> arm.outcome() == TrialOutcome.INFRASTRUCTURE);
        if (!nobodysFault) {
            return result;
        }
        String why = result.log().lines().findFirst().orElse("no reason was told");
        LOG.log(Level.WARNING, "a final is run again: " + why);
        FinalResult again = attempt(work.withoutSearch(), raced);
        double seconds = (System.nanoTime() - start) / 1e9;
        return work.peerSeconds() == 0
                ? again
                : again.searched(work.peers().stream()
                        .map(peer -> PeerSearch.failed(
                                peer, work.peerSeconds(), seconds, "the final failed with it: " + why))
                        .toList());
    }

    private static RunnerRequest request(PreparedFinal work) {
        return new RunnerRequest.RunFinal(
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
                work.rivals().stream()
                        .map(rival -> RunnerRequest.Entrant.rival(
                                rival.name(), rival.family(), rival.config(), kernel(rival.kernel())))
                        .toList(),
                work.seed(),
                List.of(Mode.SUSTAINED, Mode.COLD),
                work.peerSeconds());
    }

    private FinalResult attempt(PreparedFinal work, Runnable raced) throws DeviceUnusableException {
        Duration limit = runnerLimits()
                .runFinal(
                        work.problem(),
                        work.arms().size(),
                        work.rivals().size(),
                        work.peers().size())
                .plusMillis((long) (2000 * work.peerSeconds()) * work.peers().size());
        Consumer<String> phases = phase -> {
            if (phase.equals(RunnerReply.Phase.FINAL)) {
                raced.run();
            }
        };
        return switch (blaming(work.rivals(), request(work), limit, phases)) {
            case Ended.Answered<RunnerReply.FinalDone>(RunnerReply.FinalDone(FinalResult result)) -> {
                if (result.arms().stream().anyMatch(arm -> arm.outcome() == TrialOutcome.CRASH)) {
                    host().discard();
                }
                yield result;
            }
            case Ended.Lost<RunnerReply.FinalDone>(TrialOutcome outcome, String log) ->
                failed(work, outcome, log.strip());
        };
    }

    /** One arm ended the process. It is not known which one, so no arm has a time. */
    private static FinalResult failed(PreparedFinal work, TrialOutcome outcome, String log) {
        return FinalResult.failed(
                work.arms().stream()
                        .map(arm -> Report.Arm.failed(arm.trialId(), arm.family(), arm.config(), outcome, log))
                        .toList(),
                log);
    }

    /** Where no runner comes up after a final, that comes again: the kernels of peers have then one chance less. */
    private Ended<RunnerReply.FinalDone> blaming(
            List<PreparedFinal.Rival> rivals, RunnerRequest request, Duration limit, Consumer<String> phases)
            throws DeviceUnusableException {
        provenOrThrow();
        try {
            return ended(request, limit, RunnerReply.FinalDone.class, phases);
        } catch (DeviceUnusableException isDown) {
            blame(rivals);
            throw isDown;
        }
    }

    private void blame(List<PreparedFinal.Rival> rivals) {
        rivals.forEach(rival -> quarantine.blame(rival.kernel().hash()));
    }

    /** A lost runner cannot name the kernel that ended it: no arm is reported, and the log says why. */
    @Override
    public FinalResult runTurns(PreparedTurns work) throws DeviceUnusableException {
        List<RunnerRequest.Entrant> entrants = work.arms().stream()
                .map(arm -> new RunnerRequest.Entrant(
                        arm.name(), null, 0, arm.family(), Config.of(Map.of()), kernel(arm.kernel())))
                .toList();
        RunnerRequest request = new RunnerRequest.RunTurns(work.problem(), entrants, work.seed());
        Duration limit = runnerLimits().runFinal(work.problem(), entrants.size(), 0, 0);
        return switch (ended(request, limit, RunnerReply.FinalDone.class)) {
            case Ended.Answered<RunnerReply.FinalDone>(RunnerReply.FinalDone(FinalResult result)) -> {
                if (result.arms().stream().anyMatch(arm -> arm.outcome() == TrialOutcome.CRASH)) {
                    host().discard();
                }
                yield result;
            }
            case Ended.Lost<RunnerReply.FinalDone>(TrialOutcome outcome, String log) ->
                FinalResult.failed(List.of(), outcome + ": " + log.strip());
        };
    }

    @Override
    public GpuTaskResult run(GpuTask task, List<PreparedKernel> kernels) throws DeviceUnusableException {
        if (task.freshProcess()) {
            host().discard();
        }
        RunnerRequest request = new RunnerRequest.RunTask(
                task, kernels.stream().map(CudaDevice::kernel).toList());
        return switch (ended(request, runnerLimits().task(task.problem()), RunnerReply.TaskDone.class)) {
            case Ended.Answered<RunnerReply.TaskDone>(RunnerReply.TaskDone(GpuTaskResult result)) -> {
                if (result.crashed()) {
                    host().discard();
                }
                yield result;
            }
            case Ended.Lost<RunnerReply.TaskDone>(var _, String log) -> new GpuTaskResult.Failed(log.strip());
        };
    }

    private static Kernel kernel(PreparedKernel prepared) {
        return switch (prepared) {
            case PreparedKernel.Built built -> assembled(built);
            case PreparedKernel.OfLibrary(String family, Config config, String _) ->
                new Kernel.OfLibrary(family, config);
        };
    }

    private static Kernel assembled(PreparedKernel.Built built) {
        Assembly assembly = built.assembly();
        if (assembly == null) {
            throw new IllegalArgumentException("a kernel that was not assembled cannot be loaded: " + built.hash());
        }
        return new Kernel.Assembled(assembly.cubin(), built.launch(), assembly.registers());
    }
}
