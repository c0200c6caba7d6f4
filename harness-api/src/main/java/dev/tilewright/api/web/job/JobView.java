package dev.tilewright.api.web.job;

import dev.tilewright.api.study.Spending;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.TrialProgress;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobDocument.JobLine;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.Families;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A job as pages show it.
 *
 * @param href of its only study, otherwise of the job
 * @param open whether something of it may still change
 * @param differsInBusySms whether its studies are of one problem beside different numbers of busy SMs
 */
public record JobView(
        UUID id,
        String href,
        String title,
        String state,
        boolean open,
        String device,
        String strategy,
        String submittedBy,
        String created,
        String finished,
        boolean differsInBusySms,
        List<RangeView> ranges,
        List<Study> studies) {

    /** Studies that a row of the list shows; a job may have hundreds. */
    private static final int SHOWN = 3;

    /**
     * A study of it.
     *
     * @param simulated whether its numbers are predictions
     * @param rate of the best, or as long as nothing may be called so of the fastest screen
     * @param stage words for which of the two it is
     */
    public record Study(
            UUID id,
            String problem,
            String state,
            boolean open,
            String testbed,
            boolean simulated,
            TrialProgress trials,
            String rate,
            String stage,
            @Nullable String error) {}

    static JobView of(JobDocument job, Families families) {
        JobLine line = job.job();
        List<Study> studies =
                job.studies().stream().map(study -> study(study, job)).toList();
        return new JobView(
                line.id(),
                studies.size() == 1 && job.ranges().isEmpty()
                        ? "/studies/" + studies.getFirst().id()
                        : "/jobs/" + line.id(),
                line.name().isBlank() ? "Job " + line.id().toString().substring(0, 8) : line.name(),
                line.state().toString(),
                !line.state().isOver(),
                line.device(),
                line.strategy(),
                job.submittedBy() == null ? Figures.NONE : job.submittedBy(),
                Figures.moment(line.createdAt()),
                Figures.moment(line.finishedAt()),
                job.differsInBusySms(),
                IntStream.range(0, job.ranges().size())
                        .mapToObj(index -> RangeView.of(job, index, families))
                        .toList(),
                studies);
    }

    private static Study study(JobDocument.StudyLine study, JobDocument job) {
        boolean over = study.state().isOver();
        JobDocument.TrialLine trials = study.trials();
        return new Study(
                study.id(),
                study.problem().toString(),
                study.state().toString(),
                !over,
                testbed(study.testbed()),
                TestbedKind.SIMULATED.isOf(study.testbed()),
                TrialProgress.of(
                        over,
                        trials.finished(),
                        trials.completed(),
                        trials.total(),
                        study.ofRange() == null ? new Spending(job.job().budget()).mostTrials() : trials.total()),
                Figures.tflops(study.bestTflops() == null ? study.fastestScreenTflops() : study.bestTflops()),
                stage(study),
                study.error());
    }

    /** Rates of two stages are not to be compared, so that each is said with its own. */
    private static String stage(JobDocument.StudyLine study) {
        if (study.bestTflops() == null) {
            return study.fastestScreenTflops() == null ? "" : "fastest screen";
        }
        return TestbedKind.SIMULATED.isOf(study.testbed()) ? "best screen" : "best of the final";
    }

    private static String testbed(@Nullable Testbed testbed) {
        return testbed == null
                ? "no device has taken it yet"
                : testbed.device() + " (" + testbed.kind() + ", " + testbed.driver() + ")";
    }

    /** The studies of a row. */
    public List<Study> first() {
        return studies.subList(0, Math.min(SHOWN, studies.size()));
    }

    /** How many more there are. */
    public int more() {
        return studies.size() - first().size();
    }
}
