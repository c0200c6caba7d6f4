package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobDocument.StudyLine;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.exchange.JobEvent.OfStudy;
import dev.tilewright.model.exchange.JobEvent.StudyAsked;
import dev.tilewright.model.exchange.JobEvent.StudyFinal;
import dev.tilewright.model.exchange.JobEvent.StudyFinished;
import dev.tilewright.model.exchange.JobEvent.StudyRace;
import dev.tilewright.model.exchange.JobEvent.StudyStarted;
import dev.tilewright.model.exchange.JobEvent.TrialFinished;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.text.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How far a job is, as its events say.
 *
 * @param studies in the order of the problems; those of a range of M come phase by phase
 * @param ranges what each range of M is at; none of a job without one
 * @param firstStart when the first study was started, since the job was submitted; {@code null} before
 * @param lastStep when the last trial or study was finished so far, likewise
 */
public record JobProgress(
        List<Study> studies,
        List<Phase> ranges,
        boolean isOver,
        @Nullable Duration firstStart,
        @Nullable Duration lastStep) {

    /** Share of a study that its sweep counts for at most; race and final are the rest. */
    private static final double MOST_BEFORE_THE_END = 0.9;

    /** With less done nothing is said of the time that is left. */
    private static final double LEAST_SHARE = 0.05;

    public JobProgress {
        studies = List.copyOf(studies);
        ranges = List.copyOf(ranges);
    }

    /**
     * The phase of a range of M.
     *
     * @param now the studies of this phase
     * @param all those of all phases so far
     */
    public record Phase(RangePhase at, Set<UUID> now, Set<UUID> all) {

        /** The share of a range that is done when a phase begins, and when it ends; by how many trials each has. */
        private static final double[] SHARES = {0, 0.3, 0.6, 0.85, 1};

        public Phase {
            now = Set.copyOf(now);
            all = Set.copyOf(all);
        }

        private Phase after(JobEvent.RangeMoved moved) {
            Set<UUID> added =
                    moved.studies().stream().map(JobEvent.RangeMoved.Added::id).collect(Collectors.toSet());
            Set<UUID> every = new HashSet<>(all);
            every.addAll(added);
            return new Phase(moved.phase(), added, every);
        }

        private double share(double ofPhase) {
            double begin = SHARES[at.ordinal()];
            return at == RangePhase.OVER ? 1 : begin + ofPhase * (SHARES[at.ordinal() + 1] - begin);
        }
    }

    /**
     * One study, as its events say; each is {@code null} before it has come.
     *
     * @param begun a device has taken it
     * @param last the last trial that ended
     * @param race the sweep is over
     * @param raced whether the race is over too
     */
    public record Study(
            UUID id,
            ListedShape shape,
            Problem problem,
            @Nullable StudyStarted begun,
            @Nullable TrialFinished last,
            @Nullable StudyRace race,
            boolean raced,
            @Nullable StudyFinished end) {

        private static Study of(UUID id, ListedShape shape, ProblemDocument problem) {
            return new Study(id, shape, problem.problem(), null, null, null, false, null);
        }

        boolean started() {
            return begun != null;
        }

        boolean ended() {
            return end != null;
        }

        int finished() {
            return last == null ? 0 : last.finished();
        }

        int completed() {
            return last == null ? 0 : last.completed();
        }

        /** How many trials there will be at most; {@code null} before a device has taken it. */
        @Nullable
        Integer mostTrials() {
            return begun == null ? null : begun.mostTrials();
        }

        /** Whether it has so many trials as it may have: it does not stop by itself. */
        boolean isTotalKnown() {
            return begun != null && begun.trialBudget() != null;
        }

        /** The rate of what is called the best; {@code null} until it is. */
        @Nullable
        Double bestTflops() {
            return end == null ? null : end.bestTflops();
        }

        /** The highest rate of the screens so far. */
        @Nullable
        Double fastestScreenTflops() {
            return last == null ? null : last.fastestScreenTflops();
        }

        /** The stage of the study, as its page words it; empty before the start and after the end. */
        Optional<String> stage() {
            if (!started() || ended()) {
                return Optional.empty();
            }
            if (raced) {
                return Optional.of("final");
            }
            return Optional.of(race == null ? "sweep" : "race of " + Count.of(race.contenders(), "kernel"));
        }

        /** Whether all trials that there will be are over. */
        boolean isSwept() {
            return ended() || race != null;
        }

        /** How much of it is done, if it has as many trials as it may have. */
        double share() {
            if (ended()) {
                return 1;
            }
            if (isSwept()) {
                return MOST_BEFORE_THE_END;
            }
            return begun == null
                    ? 0
                    : MOST_BEFORE_THE_END * Math.min(1, (double) finished() / Math.max(1, begun.mostTrials()));
        }

        /** The same; nothing, if it may stop before, until it has. */
        private double certainShare() {
            return ended() || isTotalKnown() ? share() : 0;
        }

        private Study after(OfStudy event) {
            return switch (event) {
                case StudyStarted of -> new Study(id, shape, problem, of, last, race, raced, end);
                case StudyAsked _ -> this;
                case TrialFinished of -> new Study(id, shape, problem, begun, of, race, raced, end);
                case StudyRace of -> new Study(id, shape, problem, begun, last, of, raced, end);
                case StudyFinal _ -> new Study(id, shape, problem, begun, last, race, true, end);
                case StudyFinished of -> new Study(id, shape, problem, begun, last, race, raced, of);
            };
        }
    }

    /**
     * A job of which nothing has happened yet.
     *
     * @param listed what the user calls the problem of each study; those behind have no names
     */
    public static JobProgress of(JobDocument job, List<ListedShape> listed) {
        List<Study> studies = IntStream.range(0, job.studies().size())
                .mapToObj(index -> {
                    StudyLine study = job.studies().get(index);
                    return Study.of(
                            study.id(), index < listed.size() ? listed.get(index) : ListedShape.PLAIN, study.problem());
                })
                .toList();
        List<Phase> ranges = IntStream.range(0, job.ranges().size())
                .mapToObj(index -> {
                    RangePhase at = job.ranges().get(index).phase();
                    return new Phase(
                            at, ofRange(job, index, Set.of(at)), ofRange(job, index, EnumSet.allOf(RangePhase.class)));
                })
                .toList();
        return new JobProgress(studies, ranges, false, null, null);
    }

    private static Set<UUID> ofRange(JobDocument job, int range, Set<RangePhase> phases) {
        return job.studies().stream()
                .filter(study -> study.ofRange() != null
                        && study.ofRange().range() == range
                        && phases.contains(study.ofRange().phase()))
                .map(StudyLine::id)
                .collect(Collectors.toSet());
    }

    /**
     * After an event.
     *
     * @param at since the job was submitted
     */
    public JobProgress after(JobEvent event, Duration at) {
        return switch (event) {
            case JobEvent.JobCreated _ -> this;
            case JobEvent.JobEnded _ -> new JobProgress(studies, ranges, true, firstStart, lastStep);
            case JobEvent.RangeMoved moved -> after(moved);
            case OfStudy of ->
                new JobProgress(
                        studies.stream()
                                .map(study -> study.id().equals(of.studyId()) ? study.after(of) : study)
                                .toList(),
                        ranges,
                        isOver,
                        firstStart == null && of instanceof StudyStarted ? at : firstStart,
                        of instanceof StudyFinished || of instanceof TrialFinished ? at : lastStep);
        };
    }

    /** An event that is heard twice adds nothing. */
    private JobProgress after(JobEvent.RangeMoved moved) {
        Set<UUID> known = studies.stream().map(Study::id).collect(Collectors.toSet());
        List<Study> more = new ArrayList<>(studies);
        moved.studies().stream()
                .filter(added -> !known.contains(added.id()))
                .map(added -> Study.of(added.id(), ListedShape.PLAIN, added.problem()))
                .forEach(more::add);
        List<Phase> now = new ArrayList<>(ranges);
        now.set(moved.range(), now.get(moved.range()).after(moved));
        return new JobProgress(more, now, isOver, firstStart, lastStep);
    }

    /** Whether no device has taken any of its studies yet. */
    public boolean isWaiting() {
        return !isOver && studies.stream().noneMatch(study -> study.started() || study.ended());
    }

    /** The studies of problems with one number of rows. */
    List<Study> singles() {
        return studies.stream()
                .filter(study -> ranges.stream().noneMatch(range -> range.all().contains(study.id())))
                .toList();
    }

    /** The studies of a range in its phase. */
    List<Study> now(Phase range) {
        return studies.stream()
                .filter(study -> range.now().contains(study.id()))
                .toList();
    }

    /** The studies that a device is at. */
    List<Study> atWork() {
        return studies.stream()
                .filter(study -> study.started() && !study.ended())
                .toList();
    }

    /** How much of the job is done, from 0 to 1. Of many shapes only what is certain counts. */
    double share() {
        if (!ranges.isEmpty()) {
            return DoubleStream.concat(
                            singles().stream().mapToDouble(Study::certainShare),
                            ranges.stream()
                                    .mapToDouble(range -> range.share(now(range).stream()
                                            .mapToDouble(Study::certainShare)
                                            .average()
                                            .orElse(1))))
                    .average()
                    .orElse(1);
        }
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
