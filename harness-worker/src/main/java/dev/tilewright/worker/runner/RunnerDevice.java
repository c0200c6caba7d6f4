package dev.tilewright.worker.runner;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.worker.compile.Assembly;
import dev.tilewright.worker.device.Device;
import dev.tilewright.worker.device.DeviceUnusableException;
import dev.tilewright.worker.device.FinalResult;
import dev.tilewright.worker.device.PreparedFinal;
import dev.tilewright.worker.device.PreparedKernel;
import dev.tilewright.worker.device.PreparedTrial;
import dev.tilewright.worker.device.TrialResult;
import dev.tilewright.worker.emulation.ProofPlan;
import dev.tilewright.worker.process.ChildCommand;
import dev.tilewright.worker.process.ScratchDirectory;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A device behind a runner: a GPU, the model of one, or the emulator. What the runner cannot survive becomes an outcome
 * here.
 */
public final class RunnerDevice implements Device {

    private static final Logger LOG = System.getLogger(RunnerDevice.class.getName());

    private final String label;
    private final Testbed testbed;
    private final DeviceLimits deviceLimits;
    private final RunnerHost host;
    private final RunnerLimits limits;
    private final ScratchDirectory scratch;
    private final Quarantine quarantine = new Quarantine();
    private final Abandonment abandonment;

    private RunnerDevice(
            String label,
            Testbed testbed,
            DeviceLimits deviceLimits,
            RunnerHost host,
            RunnerLimits limits,
            ScratchDirectory scratch) {
        this.label = label;
        this.testbed = testbed;
        this.deviceLimits = deviceLimits;
        this.host = host;
        this.limits = limits;
        this.scratch = scratch;
        this.abandonment = new Abandonment(host);
    }

    /**
     * Starts a runner and waits until it is ready.
     *
     * @param assembler name and version of the assembler in use; asked for when the runner is ready
     * @param scratch goes with the device
     */
    static RunnerDevice open(
            String label,
            Supplier<String> assembler,
            ChildCommand command,
            RunnerLimits limits,
            ScratchDirectory scratch)
            throws DeviceUnusableException {
        RunnerHost host = new RunnerHost(command, limits);
        try {
            RunnerReply.Ready ready = host.ready();
            Testbed testbed = new Testbed(
                    ready.kind(),
                    ready.device(),
                    ready.driver(),
                    assembler.get(),
                    ready.smCount(),
                    ready.clockPolicy());
            DeviceLimits deviceLimits = DeviceLimits.of(ready.smCount()).dealing(ready.deals());
            if (!deviceLimits.deals().isEmpty()) {
                LOG.log(Level.INFO, "{0} deals clusters out so: {1}", label, deviceLimits.deals());
            }
            return new RunnerDevice(label, testbed, deviceLimits, host, limits, scratch);
        } catch (DeviceUnusableException | RuntimeException unusable) {
            host.close();
            scratch.close();
            throw unusable;
        }
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public Testbed testbed() {
        return testbed;
    }

    @Override
    public DeviceLimits limits() {
        return deviceLimits;
    }

    @Override
    public boolean needsTracedTwin() {
        // The emulator makes and runs the twin by itself.
        return testbed.kind() == TestbedKind.CUDA;
    }

    @Override
    public TrialResult run(PreparedTrial trial) throws DeviceUnusableException {
        return run(trial, null);
    }

    @Override
    public TrialResult run(PreparedTrial trial, @Nullable PreparedTrial next) throws DeviceUnusableException {
        String text = trial.kernel().ptxHash();
        if (quarantine.holds(text)) {
            return TrialResult.failed(
                    TrialOutcome.QUARANTINED, "this text hung or faulted before and is not run again: " + text);
        }
        RunnerRequest request = request(trial);
        TrialResult result = attempt(request, trial, following(next));
        // Somebody killed the runner from outside, or it was at the next trial: this one gets another try, alone, and
        // then it is nobody's fault.
        return result.outcome() == TrialOutcome.INFRASTRUCTURE ? attempt(request, trial, null) : result;
    }

    /** Only a GPU is worth the trouble: the others compute on the host, one after the other. */
    private RunnerHost.@Nullable Following following(@Nullable PreparedTrial next) {
        return next == null
                        || testbed.kind() != TestbedKind.CUDA
                        || quarantine.holds(next.kernel().ptxHash())
                ? null
                : new RunnerHost.Following(request(next), limit(next));
    }

    @Override
    public void expect(Problem problem, long seed) throws DeviceUnusableException {
        if (testbed.kind() == TestbedKind.CUDA && !host.hasNext()) {
            RunnerHost.Outcome outcome =
                    host.request(new RunnerRequest.Prepare(problem, seed), limits.trial(problem), null);
            if (!(outcome instanceof RunnerHost.Outcome.Answered(RunnerReply.Prepared _))) {
                // The trial meets the same and says so; a runner in doubt is not used for it.
                host.discard();
                provenOrThrow();
            }
        }
    }

    private RunnerRequest request(PreparedTrial trial) {
        return switch (testbed.kind()) {
            case CUDA ->
                new RunnerRequest.RunTrial(
                        trial.problem(),
                        trial.config(),
                        kernel(trial.kernel()),
                        trial.traced() == null ? null : kernel(trial.traced()),
                        trial.anchor() == null ? null : kernel(trial.anchor()),
                        trial.seed(),
                        List.of(Mode.SUSTAINED));
            case SIMULATED -> new RunnerRequest.Predict(trial.problem(), trial.config(), trial.seed());
            case EMULATED ->
                new RunnerRequest.Prove(
                        trial.family(), trial.problem(), trial.config(), trial.seed(), ProofPlan.DEFAULT_SEEDS);
        };
    }

    private TrialResult attempt(RunnerRequest request, PreparedTrial trial, RunnerHost.@Nullable Following next)
            throws DeviceUnusableException {
        return switch (passed(request, limit(trial), next)) {
            case RunnerHost.Outcome.Answered(RunnerReply.TrialDone done) -> {
                if (done.outcome() == TrialOutcome.CRASH) {
                    quarantine.blame(trial.kernel().ptxHash());
                    // A context that faulted is never used again, whether or not the runner ends by itself.
                    host.discard();
                    provenOrThrow();
                }
                yield new TrialResult(
                        done.outcome(),
                        done.errorRatio(),
                        done.executed(),
                        done.measurements(),
                        done.evidence(),
                        done.checked(),
                        done.timesNs(),
                        done.log());
            }
            case RunnerHost.Outcome.Answered(RunnerReply.Failed(String reason)) -> {
                host.discard();
                yield TrialResult.failed(TrialOutcome.INFRASTRUCTURE, "the runner failed: " + reason);
            }
            case RunnerHost.Outcome.Answered(RunnerReply other) -> {
                host.discard();
                yield TrialResult.failed(TrialOutcome.INFRASTRUCTURE, "the runner answered out of turn: " + other);
            }
            case RunnerHost.Outcome.Died(var status, String phase, String stderr) -> {
                provenOrThrow();
                String log = ("the runner ended with " + status + " in phase " + phase + "\n" + stderr).strip();
                // An emulator that dies is at fault itself: what it runs cannot reach it.
                if (status.isKilledFromOutside()
                        || testbed.kind() == TestbedKind.EMULATED
                        || mayBeEither(phase, next)) {
                    yield TrialResult.failed(TrialOutcome.INFRASTRUCTURE, log);
                }
                quarantine.blame(trial.kernel().ptxHash());
                yield TrialResult.failed(TrialOutcome.CRASH, log);
            }
            case RunnerHost.Outcome.Hung(var limit, String phase, String stderr) -> {
                String log =
                        ("killed after " + limit.toMillis() / 1e3 + " s in phase " + phase + "\n" + stderr).strip();
                if (mayBeEither(phase, next)) {
                    provenOrThrow();
                    yield TrialResult.failed(TrialOutcome.INFRASTRUCTURE, log);
                }
                quarantine.blame(trial.kernel().ptxHash());
                provenOrThrow();
                yield TrialResult.failed(TrialOutcome.TIMEOUT, log);
            }
        };
    }

    /** A final or a proof takes minutes: it may be abandoned. A screen is over before another runner would be there. */
    private RunnerHost.Outcome passed(RunnerRequest request, Duration limit, RunnerHost.@Nullable Following next)
            throws DeviceUnusableException {
        return switch (request) {
            case RunnerRequest.RunFinal _, RunnerRequest.Prove _ -> abandonment.request(request, limit, next);
            case RunnerRequest.Probe _, RunnerRequest.Prepare _, RunnerRequest.RunTrial _, RunnerRequest.Predict _ ->
                host.request(request, limit, next);
        };
    }

    @Override
    public void renew() {
        abandonment.renew();
    }

    @Override
    public void abandon() {
        abandonment.come();
    }

    /**
     * Whether the runner was making the next trial ready, or may have gone on to it before it had written its answer:
     * whose fault it is shows when each is tried alone.
     */
    private static boolean mayBeEither(String phase, RunnerHost.@Nullable Following next) {
        return phase.equals(RunnerReply.Phase.AHEAD) || next != null && phase.equals(RunnerReply.Phase.TRACE);
    }

    /** What is emulated is small, whatever was asked for. */
    private Duration limit(PreparedTrial trial) {
        return testbed.kind() == TestbedKind.EMULATED ? limits.trial() : limits.trial(trial.problem());
    }

    /**
     * Before a config is blamed, another runner must show that the GPU is in order: otherwise it may be the GPU's
     * fault.
     */
    private void provenOrThrow() throws DeviceUnusableException {
        host.ready();
    }

    private static Kernel kernel(PreparedKernel prepared) {
        Assembly assembly = prepared.assembly();
        if (assembly == null) {
            throw new IllegalArgumentException(
                    "a kernel that was not assembled cannot be loaded: " + prepared.ptxHash());
        }
        return new Kernel(assembly.cubin(), prepared.launch(), assembly.registers());
    }

    @Override
    public FinalResult runFinal(PreparedFinal work) throws DeviceUnusableException {
        if (testbed.kind() != TestbedKind.CUDA) {
            // Nothing is known of a vendor's kernels but on a GPU, so there is nobody to be compared with.
            throw new DeviceUnusableException(
                    "a device of kind " + testbed.kind() + " runs no finals: it cannot time the peers");
        }
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
                limits.runFinal(work.problem(), work.arms().size(), work.peers().size()),
                null)) {
            case RunnerHost.Outcome.Answered(
                    RunnerReply.FinalDone(var arms, var ratios, var blocks, var discards, var times, String log)) -> {
                if (arms.stream().anyMatch(arm -> arm.outcome() == TrialOutcome.CRASH)) {
                    host.discard();
                }
                yield new FinalResult(arms, ratios, blocks, discards, times, log);
            }
            case RunnerHost.Outcome.Answered(RunnerReply.Failed(String reason)) -> {
                host.discard();
                yield FinalResult.failed(work, TrialOutcome.INFRASTRUCTURE, "the runner failed: " + reason);
            }
            case RunnerHost.Outcome.Answered(RunnerReply other) -> {
                host.discard();
                yield FinalResult.failed(
                        work, TrialOutcome.INFRASTRUCTURE, "the runner answered out of turn: " + other);
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
    public void close() {
        host.close();
        scratch.close();
    }
}
