package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times of steps of the ladder, as {@code ladder --time --json} writes them.
 *
 * @param commit that was built; empty if it is not known
 * @param seed of the data
 * @param neighbours other processes on the GPU, or why they cannot be observed
 * @param blocks the raw durations
 */
public record LadderDocument(
        int schemaVersion,
        String commit,
        Testbed testbed,
        ProblemDocument problem,
        long seed,
        List<StepTime> steps,
        List<String> neighbours,
        List<Report.Block> blocks,
        String log) {

    private static final int SCHEMA_VERSION = 1;

    /**
     * A step.
     *
     * @param outcome of its part
     * @param errorRatio largest error over its bound; {@code null} if no comparison was made
     * @param sustained all turns together; {@code null} if it was not timed
     * @param tflops of the median; likewise
     * @param log what a person needs to understand the outcome
     */
    public record StepTime(
            String step,
            String adds,
            TrialOutcome outcome,
            @Nullable Double errorRatio,
            @Nullable Measurement sustained,
            @Nullable Double tflops,
            String log) {

        public boolean isCompleted() {
            return outcome == TrialOutcome.COMPLETED;
        }
    }

    /** @param adds by the name of the step */
    public static LadderDocument of(
            String commit, Testbed testbed, Problem problem, long seed, Map<String, String> adds, FinalResult result) {
        List<StepTime> steps = result.arms().stream()
                .map(arm -> step(arm, problem, adds.getOrDefault(arm.name(), "")))
                .toList();
        return new LadderDocument(
                SCHEMA_VERSION,
                commit,
                testbed,
                ProblemDocument.inShort(problem),
                seed,
                steps,
                result.neighbours(),
                result.blocks(),
                result.log());
    }

    private static StepTime step(Report.Arm arm, Problem problem, String adds) {
        Measurement sustained =
                Measurement.last(arm.measurements(), Mode.SUSTAINED).orElse(null);
        return new StepTime(
                arm.name(),
                adds,
                arm.outcome(),
                arm.errorRatio(),
                sustained,
                sustained == null ? null : problem.tflops(sustained.medianNs()),
                arm.log());
    }
}
