package dev.tilewright.worker.agent.runner;

import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.process.ScratchDirectory;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A device behind a runner. What the runner cannot survive becomes an outcome here. */
public abstract sealed class RunnerDevice implements Device permits CudaDevice, ModelDevice, ProofDevice {

    private static final Logger LOG = System.getLogger(RunnerDevice.class.getName());

    private final Started started;
    private final Abandonment abandonment;

    /** Texts that hung or faulted here. */
    protected final Quarantine quarantine = new Quarantine();

    /**
     * A runner that is ready.
     *
     * @param target of its cubins; empty if it loads none
     * @param uuid of its GPU; empty if it is none
     * @param scratch goes with the device
     */
    record Started(
            String label,
            Testbed testbed,
            DeviceLimits deviceLimits,
            Optional<GpuTarget> target,
            Optional<String> uuid,
            RunnerHost host,
            RunnerLimits limits,
            ScratchDirectory scratch) {}

    RunnerDevice(Started started) {
        this.started = started;
        this.abandonment = new Abandonment(started.host());
    }

    /**
     * Starts a runner and waits until it is ready.
     *
     * @param assembler name and version of the assembler in use; asked for when the runner is ready
     * @param host goes with the device
     * @param scratch goes with the device
     */
    static RunnerDevice open(
            String label, Supplier<String> assembler, RunnerHost host, RunnerLimits limits, ScratchDirectory scratch)
            throws DeviceUnusableException {
        try {
            RunnerReply.Ready ready = host.ready();
            Testbed testbed = new Testbed(
                    ready.kind(),
                    ready.device(),
                    ready.driver(),
                    assembler.get(),
                    ready.smCount(),
                    ready.clockPolicy());
            DeviceLimits deviceLimits =
                    DeviceLimits.of(ready.smCount()).dealing(ready.deals()).holding(ready.resident());
            if (!deviceLimits.deals().isEmpty()) {
                LOG.log(Level.INFO, "{0} deals clusters to GPCs like this: {1}", label, deviceLimits.deals());
            }
            Optional<GpuTarget> target = Optional.ofNullable(ready.target()).flatMap(GpuTarget::parse);
            Started started = new Started(
                    label, testbed, deviceLimits, target, Optional.ofNullable(ready.uuid()), host, limits, scratch);
            return switch (ready.kind()) {
                case CUDA -> new CudaDevice(started);
                case SIMULATED -> new ModelDevice(started);
                case EMULATED -> new ProofDevice(started);
            };
        } catch (DeviceUnusableException | RuntimeException unusable) {
            host.close();
            scratch.close();
            throw unusable;
        }
    }

    /** The request of a trial to the runner. */
    abstract RunnerRequest request(PreparedTrial trial);

    /** How long the runner may take for it. */
    Duration limit(PreparedTrial trial) {
        return runnerLimits().trial(trial.problem());
    }

    /** The request that may be sent before the answer; {@code null} if none may. */
    RunnerHost.@Nullable Following following(@Nullable PreparedTrial next) {
        // What computes on the host computes one after the other.
        return null;
    }

    /** Whether what a trial runs may bring its runner down. */
    boolean mayBeReached() {
        return true;
    }

    @Override
    public final Optional<String> uuid() {
        return started.uuid();
    }

    final RunnerHost host() {
        return started.host();
    }

    /** The target that cubins of this device are compiled for; empty if the device loads none. */
    final Optional<GpuTarget> target() {
        return started.target();
    }

    final RunnerLimits runnerLimits() {
        return started.limits();
    }

    @Override
    public final String label() {
        return started.label();
    }

    @Override
    public final Testbed testbed() {
        return started.testbed();
    }

    @Override
    public final DeviceLimits limits() {
        return started.deviceLimits();
    }

    @Override
    public final TrialResult run(PreparedTrial trial) throws DeviceUnusableException {
        return run(trial, null);
    }

    @Override
    public final TrialResult run(PreparedTrial trial, @Nullable PreparedTrial next) throws DeviceUnusableException {
        String text = trial.kernel().hash();
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

    private TrialResult attempt(RunnerRequest request, PreparedTrial trial, RunnerHost.@Nullable Following next)
            throws DeviceUnusableException {
        return switch (passed(request, limit(trial), next, _ -> {})) {
            case RunnerHost.Outcome.Answered(RunnerReply.TrialDone(TrialResult result)) -> {
                if (result.outcome() == TrialOutcome.CRASH) {
                    quarantine.blame(trial.kernel().hash());
                    // A context that faulted is never used again, whether or not the runner ends by itself.
                    host().discard();
                    provenOrThrow();
                }
                yield result;
            }
            case RunnerHost.Outcome.Answered(RunnerReply other) ->
                TrialResult.failed(TrialOutcome.INFRASTRUCTURE, unwanted(other));
            case RunnerHost.Outcome.Died(var status, String phase, String stderr) -> {
                String log = ("the runner ended with " + status + " in phase " + phase + "\n" + stderr).strip();
                // What the runner's own code computes cannot reach it: if it dies, it is at fault itself.
                if (status.isKilledFromOutside() || !mayBeReached() || mayBeEither(phase, next)) {
                    provenOrThrow();
                    yield TrialResult.failed(TrialOutcome.INFRASTRUCTURE, log);
                }
                quarantine.blame(trial.kernel().hash());
                provenOrThrow();
                yield TrialResult.failed(TrialOutcome.CRASH, log);
            }
            case RunnerHost.Outcome.Hung(var limit, String phase, String stderr) -> {
                String log =
                        ("killed after " + limit.toMillis() / 1e3 + " s in phase " + phase + "\n" + stderr).strip();
                if (mayBeEither(phase, next)) {
                    provenOrThrow();
                    yield TrialResult.failed(TrialOutcome.INFRASTRUCTURE, log);
                }
                quarantine.blame(trial.kernel().hash());
                provenOrThrow();
                yield TrialResult.failed(TrialOutcome.TIMEOUT, log);
            }
        };
    }

    /** The message for an unexpected answer; a runner in doubt is not used again. */
    private String unwanted(RunnerReply reply) {
        host().discard();
        return reply instanceof RunnerReply.Failed(String reason)
                ? "the runner failed: " + reason
                : "the runner sent an answer that was not asked for: " + reply;
    }

    /** How a request of several kernels, or of a text, ended: nobody is blamed where nothing was answered. */
    sealed interface Ended<R> {

        record Answered<R>(R reply) implements Ended<R> {}

        record Lost<R>(TrialOutcome outcome, String log) implements Ended<R> {}
    }

    final <R extends RunnerReply> Ended<R> ended(RunnerRequest request, Duration limit, Class<R> wanted)
            throws DeviceUnusableException {
        return ended(request, limit, wanted, _ -> {});
    }

    /** @param phases is told which phase of the request the runner enters */
    final <R extends RunnerReply> Ended<R> ended(
            RunnerRequest request, Duration limit, Class<R> wanted, Consumer<String> phases)
            throws DeviceUnusableException {
        return switch (passed(request, limit, null, phases)) {
            case RunnerHost.Outcome.Answered(RunnerReply reply)
            when wanted.isInstance(reply) -> new Ended.Answered<>(wanted.cast(reply));
            case RunnerHost.Outcome.Answered(RunnerReply other) ->
                new Ended.Lost<>(TrialOutcome.INFRASTRUCTURE, unwanted(other));
            case RunnerHost.Outcome.Died(var status, String phase, String stderr) -> {
                provenOrThrow();
                yield new Ended.Lost<>(
                        status.isKilledFromOutside() ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.CRASH,
                        "the runner ended with " + status + " in phase " + phase + "\n" + stderr);
            }
            case RunnerHost.Outcome.Hung(var killedAfter, String phase, String stderr) -> {
                provenOrThrow();
                yield new Ended.Lost<>(
                        TrialOutcome.TIMEOUT,
                        "killed after " + killedAfter.toSeconds() + " s in phase " + phase + "\n" + stderr);
            }
        };
    }

    /**
     * A final, a proof or a task may take minutes: it may be abandoned. A screen is over before another runner would be
     * there.
     */
    final RunnerHost.Outcome passed(
            RunnerRequest request, Duration limit, RunnerHost.@Nullable Following next, Consumer<String> phases)
            throws DeviceUnusableException {
        return switch (request) {
            case RunnerRequest.RunFinal _, RunnerRequest.RunTurns _, RunnerRequest.Prove _, RunnerRequest.RunTask _ ->
                abandonment.request(request, limit, next, phases);
            case RunnerRequest.Probe _, RunnerRequest.Prepare _, RunnerRequest.RunTrial _, RunnerRequest.Predict _ ->
                host().request(request, limit, next, phases);
        };
    }

    @Override
    public final void renew() {
        abandonment.renew();
    }

    @Override
    public final void abandon() {
        abandonment.come();
    }

    /**
     * Whether the runner was making the next trial ready, or may have gone on to it before it had written its answer:
     * whose fault it is shows when each is tried alone.
     */
    private static boolean mayBeEither(String phase, RunnerHost.@Nullable Following next) {
        return phase.equals(RunnerReply.Phase.AHEAD) || next != null && phase.equals(RunnerReply.Phase.TRACE);
    }

    /**
     * A runner must show that the GPU is in order: otherwise what went wrong may be the GPU's fault, and the work is
     * tried again. A text that ran then is blamed all the same: twice is no accident, and it is not run a third time.
     */
    final void provenOrThrow() throws DeviceUnusableException {
        host().ready();
    }

    @Override
    public final void close() {
        started.host().close();
        started.scratch().close();
    }
}
