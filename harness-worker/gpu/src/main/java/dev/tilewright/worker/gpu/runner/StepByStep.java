package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.Screen;

/** Runs the steps of a trial one by one: waits for the result of each before it queues the next. */
record StepByStep(TrialSteps steps) {

    TrialOutcome run(Ahead.Kernels kernels) {
        LoadedKernel kernel = kernels.kernel().get();
        if (!steps.found().isRight(steps.launched(kernel), "before timing")) {
            return TrialOutcome.MISMATCH;
        }
        steps.poison(kernel);
        steps.enter(Phases.MEASURE);
        boolean quiet = measure(kernel);
        steps.enter(Phases.VERIFY);
        boolean right = steps.found().isRight(steps.usedSets(kernel), "after timing");
        return steps.timed(right, quiet, () -> {
            LoadedKernel twin = steps.twin(kernels).get();
            return steps.isTwinRight(steps.launched(twin)) ? steps.traced(twin) : TrialOutcome.MISMATCH;
        });
    }

    /** Times the kernel in all modes; false if it was too noisy to say anything. */
    private boolean measure(LoadedKernel kernel) {
        try (SmHolders.Hold hold =
                steps.bench().holders().hold(steps.trial().problem().scenario())) {
            hold.note("while timed").ifPresent(steps.found()::note);
            boolean quiet = screen(kernel);
            hold.confirm();
            return quiet;
        }
    }

    private boolean screen(LoadedKernel kernel) {
        Screen screen = new Screen(steps.bench().stopwatch(), steps.bench().plan());
        for (Mode mode : steps.trial().modes()) {
            switch (mode) {
                case SUSTAINED -> {
                    if (!steps.note(screen.sustained(kernel, steps.anchor(), Opening.seed(steps.trial())))) {
                        return false;
                    }
                }
                case COLD -> steps.found().timed(screen.cold(kernel));
            }
        }
        return true;
    }
}
