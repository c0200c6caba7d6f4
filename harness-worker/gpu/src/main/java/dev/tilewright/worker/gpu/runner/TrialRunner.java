package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Judgement;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one trial: verifies the kernel, times it, verifies it again, then traces its twin. A kernel that fails is a
 * result, not an exception.
 */
final class TrialRunner {

    /** Part of the time in which the runner sums up and answers. */
    private static final String REPLY = "reply";

    /** Part of the time in which it unloads modules of earlier trials. */
    private static final String UNLOAD = "unload";

    private static final String OF_THE_TWIN = "of the traced twin";

    private final Workbench bench;
    private final Phases phases;
    private final Supplier<Optional<RunnerRequest>> next;
    private final TrialFindings found = new TrialFindings();

    TrialRunner(Workbench bench, Phases phases) {
        this(bench, phases, Optional::empty);
    }

    /** @param next the request that comes after this trial, as soon as it is known */
    TrialRunner(Workbench bench, Phases phases, Supplier<Optional<RunnerRequest>> next) {
        this.bench = bench;
        this.phases = phases;
        this.next = next;
    }

    /**
     * A trial that is over on the GPU.
     *
     * @param outcome as far as it is known before the traces are read
     * @param summing reads the traces and sums up
     */
    record Ended(TrialOutcome outcome, Supplier<TrialResult> summing) {

        /** Reads the traces and sums up; by any thread, since the GPU is not touched. */
        TrialResult answer() {
            return summing.get();
        }
    }

    Ended run(RunnerRequest.RunTrial trial) {
        TrialOutcome outcome;
        Map<String, Long> usage = Map.of();
        try {
            outcome = attempt(trial);
            usage = usage(bench.meter().take());
        } catch (CudaException failure) {
            boolean either = bench.ahead().isOpened();
            abandon(failure.isSticky());
            if (failure.isSticky() && (either || isOurs())) {
                throw failure;
            }
            found.note(String.valueOf(failure.getMessage()));
            outcome = outcome(failure);
        } catch (RuntimeException broken) {
            abandon(false);
            throw broken;
        } finally {
            bench.meter().enter(REPLY);
        }
        phases.leave();
        Map<String, Long> timesNs = new HashMap<>(phases.timesNs());
        timesNs.putAll(usage);
        TrialOutcome reached = outcome;
        return new Ended(reached, () -> found.answer(reached, timesNs));
    }

    /** Drops what is known of a trial that came to no end. What was begun behind it is begun anew. */
    private void abandon(boolean faulted) {
        if (faulted) {
            // Nothing can be given back to a device that has faulted.
            bench.ahead().forget();
        } else {
            bench.ahead().leave();
        }
        bench.meter().forget();
    }

    private static Map<String, Long> usage(BusyMeter.Usage usage) {
        Map<String, Long> times = new HashMap<>();
        times.put(GpuTime.BUSY, Math.round(usage.busyNs()));
        times.put(GpuTime.SPIN_FLUSH, Math.round(usage.spinFlushNs()));
        usage.waitsNs().forEach((part, nanos) -> times.put(GpuTime.WAIT + part, nanos));
        return times;
    }

    /**
     * The outcome of a failure. A fault on the GPU is the kernel's: one that came before the kernel ran has ended the
     * runner instead. A call that the driver refused is the kernel's too, unless it was for our own data or memory was
     * short: then the infrastructure has failed.
     */
    private TrialOutcome outcome(CudaException failure) {
        if (failure.isSticky()) {
            return TrialOutcome.CRASH;
        }
        return isOurs() || failure.isOutOfMemory() ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.LAUNCH;
    }

    /** Whether something of ours was running, and not yet the kernel of the trial. */
    private boolean isOurs() {
        return phases.isAt(Phases.REFERENCE) || phases.isAt(Phases.ANCHOR);
    }

    private TrialOutcome attempt(RunnerRequest.RunTrial trial) {
        enter(Phases.REFERENCE);
        bench.anchors().leaveAllBut(trial.problem());
        TestData data = bench.store().get(trial.problem(), trial.seed());
        data.reference(Ending.of(trial.kernel().launch()));
        Screen.Anchor anchor = anchor(trial.anchor(), data);
        enter(Phases.LOAD);
        try (Ahead.Kernels kernels = bench.ahead().take(trial, data)) {
            LoadedKernel kernel = kernels.kernel().get();
            found.note(kernel.discrepancies());
            enter(Phases.VERIFY);
            found.ran(kernel.executed());
            return Opening.isFor(trial)
                    ? inOneGo(trial, data, kernels, anchor)
                    : stepByStep(trial, data, kernels, anchor);
        }
    }

    /** Runs the steps one by one: waits for the result of each before it queues the next. */
    private TrialOutcome stepByStep(
            RunnerRequest.RunTrial trial, TestData data, Ahead.Kernels kernels, Screen.@Nullable Anchor anchor) {
        LoadedKernel kernel = kernels.kernel().get();
        if (!found.isRight(launched(data, kernel), "before timing")) {
            return TrialOutcome.MISMATCH;
        }
        poison(data, kernel);
        enter(Phases.MEASURE);
        boolean quiet = measure(trial, kernel, anchor);
        enter(Phases.VERIFY);
        boolean right = found.isRight(usedSets(data, kernel), "after timing");
        return timed(trial, right, quiet, () -> {
            LoadedKernel twin = loaded(kernels).get();
            return found.isRight(launched(data, twin), OF_THE_TWIN)
                    ? found.traced(() -> tracer(trial).trace(twin, found.sustainedNs()))
                    : TrialOutcome.MISMATCH;
        });
    }

    /** The outcome of a trial whose kernel was timed. A noisy trial is not traced. */
    private TrialOutcome timed(
            RunnerRequest.RunTrial trial, boolean right, boolean quiet, Supplier<TrialOutcome> tracing) {
        if (!right) {
            return TrialOutcome.MISMATCH;
        }
        if (!quiet) {
            return TrialOutcome.NOISE;
        }
        if (trial.traced() == null) {
            return TrialOutcome.COMPLETED;
        }
        enter(Phases.TRACE);
        return tracing.get();
    }

    /**
     * Queues steps ahead, so that the device has work while the host looks at a result. The device runs the steps in
     * the same order as {@link #stepByStep}, but verifies the twin earlier: the twin runs behind the warm-up. The last
     * verification and the traces run behind the blocks. If a result is wrong, what was queued after it does not count.
     */
    private TrialOutcome inOneGo(
            RunnerRequest.RunTrial trial, TestData data, Ahead.Kernels kernels, Screen.@Nullable Anchor anchor) {
        LoadedKernel kernel = kernels.kernel().get();
        Opening opening = kernels.opening().orElseGet(() -> Opening.of(bench, trial, data, kernel, anchor));
        Judgement before = opening.before();
        Screen.Session session = opening.session();
        Loading traced = trial.traced() == null ? Loading.NOTHING : loaded(kernels);
        Judgement twin = traced.isThere() ? launched(data, traced.get()) : null;
        // After the twin has run: its right results must not hide wrong ones of the kernel.
        poison(data, kernel);
        if (!found.isRight(before, "before timing")) {
            if (twin != null) {
                twin.verdict();
            }
            return TrialOutcome.MISMATCH;
        }
        enter(Phases.MEASURE);
        boolean queued = session.queueBlocks();
        boolean twinRight = twin == null || found.isRight(twin, OF_THE_TWIN);
        Judgement after = queued ? usedSets(data, kernel) : null;
        Tracer.Queued traces =
                queued && twin != null && twinRight ? tracer(trial).queue(traced.get()) : null;
        Screen.Result result = session.result();
        boolean quiet = note(result, anchor);
        enter(Phases.VERIFY);
        boolean stillRight = after == null || found.isRight(after, "after timing");
        if (after == null || !result.timed().discards().isEmpty()) {
            // Blocks have run that no verification was queued behind.
            stillRight &= found.isRight(usedSets(data, kernel), "after timing");
        }
        return timed(trial, stillRight && twinRight, quiet, () -> {
            if (traces == null) {
                return found.traced(() -> tracer(trial).trace(kernels.twin().get(), found.sustainedNs()));
            }
            next.get().filter(bench.ahead()::isWanted).ifPresent(this::prepare);
            if (bench.ahead().isOpened()) {
                // Until the answer: if the runner dies or hangs now, it may be the fault of either trial.
                enter(Phases.AHEAD);
            }
            Tracer.Traces taken = traces.take();
            found.tracedLater(() -> taken.evidence(found.sustainedNs()));
            return TrialOutcome.COMPLETED;
        });
    }

    /** The twin, loaded while the kernel warms up. */
    private Loading loaded(Ahead.Kernels kernels) {
        String part = bench.meter().enter(Phases.LOAD);
        phases.within(Phases.LOAD, kernels::twin);
        bench.meter().enter(part);
        return kernels.twin();
    }

    /**
     * Loads the kernel of the next trial while the GPU runs the traces, and queues its first steps behind them. Not
     * earlier: what the driver does to load it must not disturb a kernel that is timed.
     */
    private void prepare(RunnerRequest coming) {
        String part = bench.meter().enter(Phases.AHEAD);
        phases.within(Phases.AHEAD, () -> {
            bench.ahead().prepare(coming);
            bench.meter().cut();
            bench.ahead().open(this::begin);
            bench.meter().enter(UNLOAD);
            bench.ahead().tidy();
        });
        bench.meter().enter(part);
    }

    /** Queues the first steps of the next trial; empty if its anchor is not there. */
    private Optional<Opening> begin(RunnerRequest.RunTrial coming, TestData data, LoadedKernel kernel) {
        if (!Opening.isFor(coming)) {
            return Optional.empty();
        }
        Kernel wanted = coming.anchor();
        if (wanted == null) {
            return Optional.of(Opening.of(bench, coming, data, kernel, null));
        }
        return bench.anchors().held(wanted, data).map(answer -> switch (answer) {
            case AnchorSlot.Answer.Ready(LoadedKernel arm) ->
                Opening.of(bench, coming, data, kernel, bench.anchors().forScreen(arm));
            case AnchorSlot.Answer.None _ -> Opening.of(bench, coming, data, kernel, null);
        });
    }

    private void enter(String phase) {
        bench.meter().enter(phase);
        phases.enter(phase);
    }

    private Tracer tracer(RunnerRequest.RunTrial trial) {
        return new Tracer(bench, trial.problem(), trial.config());
    }

    private Screen.@Nullable Anchor anchor(@Nullable Kernel kernel, TestData data) {
        if (kernel == null) {
            return null;
        }
        enter(Phases.ANCHOR);
        return switch (bench.anchors().get(kernel, data)) {
            case AnchorSlot.Answer.Ready(LoadedKernel arm) -> bench.anchors().forScreen(arm);
            case AnchorSlot.Answer.None(String reason) -> {
                found.note("timed without the anchor: " + reason);
                yield null;
            }
        };
    }

    /** Times the kernel in all modes; false if it was too noisy to say anything. */
    private boolean measure(RunnerRequest.RunTrial trial, LoadedKernel kernel, Screen.@Nullable Anchor anchor) {
        try (SmHolders.Hold hold = bench.holders().hold(trial.problem().scenario())) {
            hold.note("while timed").ifPresent(found::note);
            boolean quiet = screen(trial, kernel, anchor);
            hold.confirm();
            return quiet;
        }
    }

    private boolean screen(RunnerRequest.RunTrial trial, LoadedKernel kernel, Screen.@Nullable Anchor anchor) {
        Screen screen = new Screen(bench.stopwatch(), bench.plan());
        for (Mode mode : trial.modes()) {
            switch (mode) {
                case SUSTAINED -> {
                    Screen.Result result = screen.sustained(kernel, anchor, Opening.seed(trial));
                    if (!note(result, anchor)) {
                        return false;
                    }
                }
                case COLD -> found.timed(screen.cold(kernel));
            }
        }
        return true;
    }

    /** Keeps what a screen measured; false if it was too noisy to say anything. */
    private boolean note(Screen.Result result, Screen.@Nullable Anchor anchor) {
        if (anchor != null) {
            result.launchNs(anchor.arm()).ifPresent(bench.anchors()::took);
        }
        return found.screened(result);
    }

    /** Poisons all outputs, so that the runs that are timed must write each of them anew. */
    private void poison(TestData data, LoadedKernel kernel) {
        bench.meter().busy(() -> bench.verifier().poison(data.sets()));
        kernel.forgetUsedSets();
    }

    private Judgement usedSets(TestData data, LoadedKernel kernel) {
        return bench.verifier().begin(data, kernel.expected(data, kernel.usedSets()), kernel.usedSets());
    }

    private Judgement launched(TestData data, LoadedKernel kernel) {
        return Opening.launched(bench, data, kernel);
    }
}
