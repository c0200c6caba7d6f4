package dev.tilewright.worker.board;

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
 * @param lastEnd when the last study was ended so far, likewise
 */
public record JobProgress(
        List<Study> studies,
        boolean isOver,
        @Nullable Duration firstStart,
        @Nullable Duration lastEnd) {

    public JobProgress {
        studies = List.copyOf(studies);
    }

    /**
     * One study.
     *
     * @param started whether a device has taken it
     * @param budget how many trials there will be; {@code null} if that is not known
     * @param finalists {@code null} before the final
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
            @Nullable Integer finalists,
            @Nullable Double bestTflops) {

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
                    event.finalists() == null ? finalists : event.finalists(),
                    event.bestTflops() == null ? bestTflops : event.bestTflops());
        }
    }

    /**
     * A job of which nothing has happened yet.
     *
     * @param listed what the user calls the problem of each study
     */
    public static JobProgress of(JobResource job, List<ListedShape> listed) {
        List<Study> studies = IntStream.range(0, job.studies().size())
                .mapToObj(index -> {
                    JobResource.Study study = job.studies().get(index);
                    return new Study(
                            study.id(),
                            listed.get(index),
                            study.problem().full(),
                            false,
                            false,
                            0,
                            0,
                            null,
                            null,
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
                type.equals("study.finished") ? at : lastEnd);
    }

    /** Whether no device has taken any of its studies yet. */
    public boolean isWaiting() {
        return !isOver && studies.stream().noneMatch(study -> study.started() || study.ended());
    }

    int done() {
        return (int) studies.stream().filter(Study::ended).count();
    }

    /** The first study that a device is at. */
    Optional<Study> atWork() {
        return studies.stream()
                .filter(study -> study.started() && !study.ended())
                .findFirst();
    }

    /** How much longer it takes if the rest go as fast as those that are done; empty before the first is. */
    Optional<Duration> left(Duration now) {
        int done = done();
        if (done == 0 || firstStart == null || lastEnd == null || done == studies.size()) {
            return Optional.empty();
        }
        Duration all = lastEnd.minus(firstStart).multipliedBy(studies.size()).dividedBy(done);
        Duration left = all.minus(now.minus(firstStart));
        return Optional.of(left.isNegative() ? Duration.ZERO : left);
    }
}
