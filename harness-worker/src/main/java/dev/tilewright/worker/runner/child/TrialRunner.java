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

    /** A fault is the kernel's; so is a refusal, unless the driver refused data or memory of ours. */
    private TrialOutcome outcome(CudaException failure) {
        if (failure.isSticky()) {
            return phases.isAt(Phases.REFERENCE) ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.CRASH;
        }
        return phases.isAt(Phases.REFERENCE) || failure.isOutOfMemory()
                ? TrialOutcome.INFRASTRUCTURE
                : TrialOutcome.LAUNCH;
    }

    private TrialOutcome attempt(RunnerRequest.RunTrial trial) {
        phases.enter(Phases.REFERENCE);
        TestData data = bench.store().get(trial.problem(), trial.seed());
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
            measure(trial, kernel);
            phases.enter(Phases.VERIFY);
            if (!isRight(data, kernel.usedSets(), "after timing")) {
                return TrialOutcome.MISMATCH;
            }
            return trial.traced() == null ? TrialOutcome.COMPLETED : trace(trial, trial.traced(), data);
        }
    }

    private void measure(RunnerRequest.RunTrial trial, LoadedKernel kernel) {
        Screen screen = new Screen(bench.stopwatch(), bench.plan());
        try (SmHolders.Hold hold = bench.holders().hold(trial.problem().scenario())) {
            hold.note("while timed").ifPresent(log::add);
            for (Mode mode : trial.modes()) {
                measurements.add(screen.measure(trial.problem(), kernel, mode));
            }
            hold.confirm();
        }
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
