package dev.tilewright.worker.runner.child;

import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.cuda.CudaException;
import dev.tilewright.worker.measure.BusyMeter;
import dev.tilewright.worker.measure.Screen;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.verify.OperandSet;
import dev.tilewright.worker.verify.TestData;
import dev.tilewright.worker.verify.Verifier.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One trial: verify, time, verify again, trace. What came of it is data, whatever it was. */
final class TrialRunner {

    /** Time on the GPU beside the phases, which are wall time. */
    static final String GPU_BUSY = "gpuBusy";

    static final String GPU_SPIN_FLUSH = "gpuSpinFlush";

    private final Workbench bench;
    private final Phases phases;
    private final List<String> log = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private @Nullable Double errorRatio;
    private @Nullable Executed executed;
    private @Nullable SchedulerEvidence evidence;

    TrialRunner(Workbench bench, Phases phases) {
        this.bench = bench;
        this.phases = phases;
    }

    RunnerReply.TrialDone run(RunnerRequest.RunTrial trial) {
        TrialOutcome outcome;
        Map<String, Long> usage = Map.of();
        bench.meter().forget();
        try {
            outcome = attempt(trial);
            usage = usage(bench.meter().take());
        } catch (CudaException failure) {
            if (failure.isSticky() && isOurs()) {
                throw failure;
            }
            log.add(String.valueOf(failure.getMessage()));
            outcome = outcome(failure);
        }
        phases.leave();
        Map<String, Long> timesNs = new HashMap<>(phases.timesNs());
        timesNs.putAll(usage);
        return new RunnerReply.TrialDone(
                outcome,
                errorRatio,
                executed,
                List.copyOf(measurements),
                evidence,
                null,
                timesNs,
                String.join("\n", log));
    }

    private static Map<String, Long> usage(BusyMeter.Usage usage) {
        return Map.of(GPU_BUSY, Math.round(usage.busyNs()), GPU_SPIN_FLUSH, Math.round(usage.spinFlushNs()));
    }

    /**
     * A fault is the kernel's, unless it came before the kernel ran: then the runner itself has failed. So is a
     * refusal, unless the driver refused data or memory of ours.
     */
    private TrialOutcome outcome(CudaException failure) {
        if (failure.isSticky()) {
            return TrialOutcome.CRASH;
        }
        return isOurs() || failure.isOutOfMemory() ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.LAUNCH;
    }

    /** Whether what ran was not yet the kernel of the trial. */
    private boolean isOurs() {
        return phases.isAt(Phases.REFERENCE) || phases.isAt(Phases.ANCHOR);
    }

    private TrialOutcome attempt(RunnerRequest.RunTrial trial) {
        phases.enter(Phases.REFERENCE);
        bench.anchors().leaveAllBut(trial.problem());
        TestData data = bench.store().get(trial.problem(), trial.seed());
        Screen.Anchor anchor = anchor(trial.anchor(), data);
        phases.enter(Phases.LOAD);
        try (LoadedKernel kernel = LoadedKernel.load(bench.gpu(), "kernel", trial.kernel(), data)) {
            log.addAll(kernel.discrepancies());
            phases.enter(Phases.VERIFY);
            executed = kernel.executed();
            if (!runsRight(data, kernel, "before timing")) {
                return TrialOutcome.MISMATCH;
            }
            bench.meter().busy(() -> bench.verifier().poison(data.sets()));
            phases.enter(Phases.MEASURE);
            boolean quiet = measure(trial, kernel, anchor);
            phases.enter(Phases.VERIFY);
            if (!isRight(data, kernel.usedSets(), "after timing")) {
                return TrialOutcome.MISMATCH;
            }
            if (!quiet) {
                return TrialOutcome.NOISE;
            }
            return trial.traced() == null ? TrialOutcome.COMPLETED : trace(trial, trial.traced(), data);
        }
    }

    private Screen.@Nullable Anchor anchor(@Nullable Kernel kernel, TestData data) {
        if (kernel == null) {
            return null;
        }
        phases.enter(Phases.ANCHOR);
        return switch (bench.anchors().get(kernel, data)) {
            case AnchorSlot.Answer.Ready(LoadedKernel arm) -> bench.anchors().forScreen(arm);
            case AnchorSlot.Answer.None(String reason) -> {
                log.add("timed without the anchor: " + reason);
                yield null;
            }
        };
    }

    /** Of the order in the blocks: the same for the same trial, another one for another. */
    private static long seed(RunnerRequest.RunTrial trial) {
        return trial.seed() ^ trial.config().canonical().hashCode();
    }

    /** Times the kernel in all modes; false if it was too noisy to say anything. */
    private boolean measure(RunnerRequest.RunTrial trial, LoadedKernel kernel, Screen.@Nullable Anchor anchor) {
        try (SmHolders.Hold hold = bench.holders().hold(trial.problem().scenario())) {
            hold.note("while timed").ifPresent(log::add);
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
                    Screen.Result result = screen.sustained(trial.problem(), kernel, anchor, seed(trial));
                    result.timed().notes().forEach(log::add);
                    result.timed().discards().forEach(discard -> log.add("discarded: " + discard.reason()));
                    if (anchor != null) {
                        result.launchNs(anchor.arm()).ifPresent(bench.anchors()::took);
                    }
                    if (result.measurement().isEmpty()) {
                        return false;
                    }
                    measurements.add(result.measurement().get());
                }
                case COLD -> measurements.add(screen.cold(trial.problem(), kernel));
            }
        }
        return true;
    }

    private TrialOutcome trace(RunnerRequest.RunTrial trial, Kernel twin, TestData data) {
        phases.enter(Phases.TRACE);
        try (LoadedKernel traced = LoadedKernel.load(bench.gpu(), "traced twin", twin, data)) {
            if (!runsRight(data, traced, "of the traced twin")) {
                return TrialOutcome.MISMATCH;
            }
            Tracer tracer = new Tracer(bench, trial.problem(), trial.config());
            evidence = tracer.trace(traced, sustainedNs());
            return TrialOutcome.COMPLETED;
        } catch (Tracer.DamagedTraceException damaged) {
            log.add(String.valueOf(damaged.getMessage()));
            return TrialOutcome.MISMATCH;
        }
    }

    private @Nullable Double sustainedNs() {
        return measurements.stream()
                .filter(measurement -> measurement.mode() == Mode.SUSTAINED)
                .map(Measurement::medianNs)
                .findFirst()
                .orElse(null);
    }

    /** Poisons one set of operands, launches on it once and judges the output. */
    private boolean runsRight(TestData data, LoadedKernel kernel, String when) {
        List<OperandSet> first = List.of(data.sets().getFirst());
        bench.meter().busy(() -> {
            bench.verifier().poison(first);
            kernel.enqueue(0);
        });
        return isRight(data, first, when);
    }

    private boolean isRight(TestData data, List<OperandSet> sets, String when) {
        Verdict verdict = bench.verifier().judge(data, sets);
        if (Double.isFinite(verdict.errorRatio())) {
            errorRatio = errorRatio == null ? verdict.errorRatio() : Math.max(errorRatio, verdict.errorRatio());
        }
        verdict.complaints().forEach(complaint -> log.add("result " + when + ": " + complaint));
        return verdict.passes();
    }
}
