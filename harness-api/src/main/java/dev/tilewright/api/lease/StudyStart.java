package dev.tilewright.api.lease;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.EmptySpace;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceSummary;
import dev.tilewright.space.family.FamilyBuild;
import java.time.Clock;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Binds a study to the first device that takes it: only now is its search space known. */
@Service
class StudyStart {

    /** A sweep over a space with at most so many points also records those that break a rule. */
    private static final long RECORDED_POINTS = 1000;

    private static final String SWEEP = "exhaustive";

    private final StudyRepository studies;
    private final StudySpaces spaces;
    private final TrialRepository trials;
    private final JobProgressRepository jobs;
    private final StudyFlow flow;
    private final EventLog events;
    private final FamilyBuild build;
    private final Clock clock;

    StudyStart(
            StudyRepository studies,
            StudySpaces spaces,
            TrialRepository trials,
            JobProgressRepository jobs,
            StudyFlow flow,
            EventLog events,
            FamilyBuild build,
            Clock clock) {
        this.studies = studies;
        this.spaces = spaces;
        this.trials = trials;
        this.jobs = jobs;
        this.flow = flow;
        this.events = events;
        this.build = build;
        this.clock = clock;
    }

    /** Starts a queued study on a device; the caller holds the study. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void on(StudyRow study, WorkerDevice device) {
        SearchSpace whole =
                spaces.whole(study.problem(), study.family(), device.testbed().smCount());
        SearchSpace space;
        try {
            space = whole.restrict(study.restriction().values());
        } catch (IllegalArgumentException notOnThisDevice) {
            // When the job came, no such device was there to be asked.
            flow.end(study, "on " + device.testbed().device() + ": " + notOnThisDevice.getMessage());
            return;
        }
        SpaceSummary summary = space.summary();
        if (summary.size() == 0) {
            flow.end(
                    study,
                    "no config keeps every rule on " + device.testbed().device() + ": "
                            + String.join("; ", EmptySpace.lines(summary)));
            return;
        }
        // Workers do not know what the user left out: they compare the whole space.
        studies.bind(
                study.id(),
                device.testbedId(),
                build.id(),
                whole.hash(),
                summary,
                anchor(study, device),
                clock.instant());
        if (study.strategy().equals(SWEEP) && summary.points() <= RECORDED_POINTS) {
            trials.prune(study.id(), study.family(), pruned(space), clock.instant());
        }
        jobs.start(study.jobId());
        events.append(
                study.jobId(),
                Progress.STUDY_STARTED,
                new Progress.StudyStarted(
                        study.id(),
                        device.testbed(),
                        summary.size(),
                        study.budget().trials()));
    }

    /** Only on a GPU is something timed beside something. */
    private @Nullable Config anchor(StudyRow study, WorkerDevice device) {
        return device.testbed().kind() == TestbedKind.CUDA
                ? spaces.anchor(
                                study.problem(),
                                study.family(),
                                device.testbed().smCount())
                        .orElse(null)
                : null;
    }

    private static List<TrialRepository.Pruned> pruned(SearchSpace space) {
        return LongStream.range(0, space.points())
                .mapToObj(space::point)
                .flatMap(config ->
                        space
                                .violation(config)
                                .map(violation -> new TrialRepository.Pruned(config, violation))
                                .stream())
                .toList();
    }
}
