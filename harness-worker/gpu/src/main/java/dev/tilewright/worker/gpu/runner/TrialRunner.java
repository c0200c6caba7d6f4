package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CapturedLaunch;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.TestData;
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
            usage = bench.meter().take().timesNs();
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
        TestData data = bench.data(trial.problem(), trial.seed());
        data.reference(Ending.of(trial.kernel().launch(), trial.problem()));
        Screen.Anchor anchor = anchor(trial.anchor(), data);
        enter(Phases.LOAD);
        TrialSteps steps = new TrialSteps(bench, phases, found, trial, data, anchor);
        return switch (trial.kernel()) {
            case Kernel.Assembled _ -> run(steps, bench.ahead().take(trial, data));
            case Kernel.OfLibrary wanted -> ofLibrary(steps, wanted);
        };
    }

    private TrialOutcome run(TrialSteps steps, Ahead.Kernels ready) {
        try (Ahead.Kernels kernels = ready) {
            LoadedKernel kernel = kernels.kernel().get();
            found.note(kernel.remarks());
            enter(Phases.VERIFY);
            found.ran(kernel.executed());
            return Opening.isFor(steps.trial())
                    ? new InOneGo(steps, next).run(kernels)
                    : new StepByStep(steps).run(kernels);
        }
    }

    /** Many algorithms are refused for a problem, and many launch the same: that is what came of their trials. */
    private TrialOutcome ofLibrary(TrialSteps steps, Kernel.OfLibrary wanted) {
        bench.ahead().leave();
        return switch (bench.library().forTrial(wanted, steps.data())) {
            case LibrarySlot.Found.Ready(LoadedAlgorithm kernel) ->
                run(steps, bench.ahead().loaded(steps.trial(), steps.data(), kernel));
            case LibrarySlot.Answer.Same(Config first, CapturedLaunch launch) ->
                ended(TrialOutcome.PRUNED, "launches the same as " + first.canonical() + ": " + launch);
            case LibrarySlot.Found.Refused(String reason) -> ended(TrialOutcome.PRUNED, reason);
            case LibrarySlot.Found.Absent(String reason) ->
                ended(TrialOutcome.BUILD, wanted.family() + " is absent: " + reason);
        };
    }

    private TrialOutcome ended(TrialOutcome outcome, String reason) {
        found.note(reason);
        return outcome;
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

    private void enter(String phase) {
        bench.enter(phases, phase);
    }
}
