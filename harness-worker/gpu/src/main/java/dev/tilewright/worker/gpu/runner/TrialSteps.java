package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Judgement;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one trial, which {@link StepByStep} and {@link InOneGo} put in their orders.
 *
 * @param found what they find out
 * @param data operands of the trial
 * @param anchor kernel that is timed beside; {@code null} if there is none
 */
record TrialSteps(
        Workbench bench,
        Phases phases,
        TrialFindings found,
        RunnerRequest.RunTrial trial,
        TestData data,
        Screen.@Nullable Anchor anchor) {

    private static final String OF_THE_TWIN = "of the traced twin";

    void enter(String phase) {
        bench.enter(phases, phase);
    }

    /** The twin, loaded while the kernel warms up. */
    Loading twin(Ahead.Kernels kernels) {
        String part = bench.meter().enter(Phases.LOAD);
        phases.within(Phases.LOAD, kernels::twin);
        bench.meter().enter(part);
        return kernels.twin();
    }

    /** Launches once and has the output judged. */
    Judgement launched(LoadedKernel kernel) {
        return Opening.launched(bench, data, kernel);
    }

    /** Has all outputs judged that were written since {@link #poison}. */
    Judgement usedSets(LoadedKernel kernel) {
        return bench.verifier().begin(data, kernel.expected(data, kernel.usedSets()), kernel.usedSets());
    }

    boolean isTwinRight(Judgement judgement) {
        return found.isRight(judgement, OF_THE_TWIN);
    }

    /** Poisons all outputs, so that the runs that are timed must write each of them anew. */
    void poison(LoadedKernel kernel) {
        bench.meter().busy(() -> bench.verifier().poison(data.sets()));
        kernel.forgetUsedSets();
    }

    /** Keeps what a screen measured; false if it was too noisy to say anything. */
    boolean note(Screen.Result result) {
        if (anchor != null) {
            result.launchNs(anchor.arm()).ifPresent(bench.anchors()::took);
        }
        return found.screened(result);
    }

    Tracer tracer() {
        return new Tracer(bench, trial.problem(), trial.config());
    }

    /** Runs the traces and reads them. */
    TrialOutcome traced(LoadedKernel twin) {
        return found.traced(() -> tracer().trace(twin, found.sustainedNs()));
    }

    /** The outcome of a trial whose kernel was timed. A noisy trial is not traced. */
    TrialOutcome timed(boolean right, boolean quiet, Supplier<TrialOutcome> tracing) {
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
}
