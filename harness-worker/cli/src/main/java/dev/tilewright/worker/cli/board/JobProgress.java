package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobDocument.StudyLine;
import dev.tilewright.model.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How far a job is, as its events say.
 *
 * @param studies in the order of the problems
 * @param firstStart when the first study was started, since the job was submitted; {@code null} before
 * @param lastStep when the last trial or study was finished so far, likewise
 */
public record JobProgress(
        List<Study> studies,
        boolean isOver,
        @Nullable Duration firstStart,
        @Nullable Duration lastStep) {

    /** What follows the trials of a study, a final above all, counts for the rest. */
    private static final double MOST_BEFORE_THE_END = 0.9;

    /** With less done nothing is said of the time that is left. */
    private static final double LEAST_SHARE = 0.05;

    public JobProgress {
        studies = List.copyOf(studies);
    }

    /**
     * One study.
     *
     * @param started whether a device has taken it
     * @param budget how many trials the user asked for; {@code null} if it stops by itself, or is not known yet
     * @param mostTrials how many there will be at most; {@code null} before a device has taken it
     * @param contenders kernels in the race for the final; {@code null} before it
     * @param raced whether the race is over
     */
    public record Study(
            UUID id,
            ListedShape shape,
            Problem problem,
            boolean started,
            boolean ended,
            int finished,
            int completed,
            @Nullable Integer budget,
            @Nullable Integer mostTrials,
            @Nullable Integer contenders,
            boolean raced,
            @Nullable Double bestTflops) {

        /** What it is at, as its page says it; empty before and after. */
        Optional<String> stage() {
            if (!started || ended) {
                return Optional.empty();
            }
            if (raced) {
                return Optional.of("final");
            }
            return Optional.of(contenders == null ? "sweep" : "race of " + contenders + " kernels");
        }

        /** Whether all trials that there will be are over. */
        boolean isSwept() {
            return ended || contenders != null;
        }

        /** Whether it has so many trials as it may have: it does not stop by itself. */
        boolean isTotalKnown() {
            return budget != null;
        }

        /** How much of it is done, if it has as many trials as it may have. */
        double share() {
            if (ended) {
                return 1;
            }
            if (isSwept()) {
                return MOST_BEFORE_THE_END;
            }
            return mostTrials == null
                    ? 0
                    : MOST_BEFORE_THE_END * Math.min(1, (double) finished / Math.max(1, mostTrials));
        }

        /** The same; nothing, if it may stop before, until it has. */
        private double certainShare() {
            return ended || isTotalKnown() ? share() : 0;
        }

        private Study after(String type, JobEvent event) {
            return new Study(
                    id,
                    shape,
                    problem,
                    started || !type.equals("study.finished"),
                    ended || type.equals("study.finished"),
                    Objects.requireNonNullElse(event.finished(), finished),
                    Objects.requireNonNullElse(event.completed(), completed),
                    event.trialBudget() == null ? budget : event.trialBudget(),
                    event.mostTrials() == null ? mostTrials : event.mostTrials(),
                    event.contenders() == null ? contenders : event.contenders(),
                    raced || type.equals("study.final"),
                    event.bestTflops() == null ? bestTflops : event.bestTflops());
        }
    }

    /**
     * A job of which nothing has happened yet.
     *
     * @param listed what the user calls the problem of each study
     */
    public static JobProgress of(JobDocument job, List<ListedShape> listed) {
        List<Study> studies = IntStream.range(0, job.studies().size())
                .mapToObj(index -> {
                    StudyLine study = job.studies().get(index);
                    return new Study(
                            study.id(),
                            listed.get(index),
                            study.problem().problem(),
                            false,
                            false,
                            0,
                            0,
                            null,
                            null,
                            null,
                            false,
                            null);
                })
                .toList();
        return new JobProgress(studies, false, null, null);
    }

    /**
     * After an event.
     *
     * @param at since the job was submitted
     */
    public JobProgress after(String type, JobEvent event, Duration at) {
        boolean over = type.equals("job.finished") || type.equals("job.cancelled");
        List<Study> now = studies.stream()
                .map(study -> study.id().equals(event.studyId()) ? study.after(type, event) : study)
                .toList();
        return new JobProgress(
                now,
                isOver || over,
                firstStart == null && type.equals("study.started") ? at : firstStart,
                type.equals("study.finished") || type.equals("trial.finished") ? at : lastStep);
    }

    /** Whether no device has taken any of its studies yet. */
    public boolean isWaiting() {
        return !isOver && studies.stream().noneMatch(study -> study.started() || study.ended());
    }

    int done() {
        return (int) studies.stream().filter(Study::ended).count();
    }

    /** The studies that a device is at. */
    List<Study> atWork() {
        return studies.stream()
                .filter(study -> study.started() && !study.ended())
                .toList();
    }

    /** How much of the job is done, from 0 to 1. Of many shapes only what is certain counts. */
    double share() {
        return studies.size() == 1
                ? studies.getFirst().share()
                : studies.stream().mapToDouble(Study::certainShare).average().orElse(1);
    }

    /**
     * How much longer the job takes if the rest goes as fast as the part that is done. Empty while that part is small,
     * and in the final of the only shape: how long trials took says nothing of it.
     */
    Optional<Duration> left(Duration now) {
        double share = share();
        if (studies.size() == 1 && studies.getFirst().isSwept()) {
            return Optional.empty();
        }
        if (share < LEAST_SHARE || share == 1 || isOver || firstStart == null || lastStep == null) {
            return Optional.empty();
        }
        long all = (long) (lastStep.minus(firstStart).toMillis() / share);
        return Optional.of(
                Duration.ofMillis(Math.max(0, all - now.minus(firstStart).toMillis())));
    }
}
