package dev.tilewright.worker.measure;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import java.util.List;
import java.util.stream.Stream;

/** The quick look at one arm: a few short runs, enough to say who may contend. */
public record Screen(Stopwatch stopwatch, TimingPlan plan) {

    /**
     * Times the arm at stage {@code screen}. The runs before the first that counts are warm-up and tell how long a run
     * must be.
     */
    public Measurement measure(Problem problem, Arm arm, Mode mode) {
        return Summaries.of(problem, mode, Stage.SCREEN, runs(arm, mode));
    }

    /** The runs themselves, warm-up left out. */
    public List<Run> runs(Arm arm, Mode mode) {
        return switch (mode) {
            case SUSTAINED -> {
                double launchNs = stopwatch.sustained(arm, plan.leastLaunches()).launchNs();
                int launches = plan.launches(launchNs, plan.screenNs());
                yield Stream.generate(() -> stopwatch.sustained(arm, launches))
                        .limit(plan.screenRuns())
                        .toList();
            }
            case COLD -> {
                stopwatch.cold(arm, 1);
                yield Stream.generate(() -> stopwatch.cold(arm, plan.coldLaunches()))
                        .limit(plan.screenRuns())
                        .toList();
            }
        };
    }
}
