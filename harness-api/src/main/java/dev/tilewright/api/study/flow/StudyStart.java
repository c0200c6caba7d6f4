package dev.tilewright.api.study.flow;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.EmptySpace;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceSummary;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.FamilyBuild;
import java.time.Clock;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Binds a study to the first device that takes it: only now is its search space known. */
@Service
class StudyStart {

    private static final Logger LOG = LoggerFactory.getLogger(StudyStart.class);

    /** Of a space with at most so many points an exhaustive search also records those that break a rule. */
    private static final long RECORDED_POINTS = 1000;

    private static final String EXHAUSTIVE = "exhaustive";

    private final StudyRepository studies;
    private final StudySpaces spaces;
    private final TrialRepository trials;
    private final JobProgressRepository jobs;
    private final StudyFlow flow;
    private final EventLog events;
    private final FamilyBuild build;
    private final Foresight foresight;
    private final Asks asks;
    private final Clock clock;

    StudyStart(
            StudyRepository studies,
            StudySpaces spaces,
            TrialRepository trials,
            JobProgressRepository jobs,
            StudyFlow flow,
            EventLog events,
            FamilyBuild build,
            Foresight foresight,
            Asks asks,
            Clock clock) {
        this.studies = studies;
        this.spaces = spaces;
        this.trials = trials;
        this.jobs = jobs;
        this.flow = flow;
        this.events = events;
        this.build = build;
        this.foresight = foresight;
        this.asks = asks;
        this.clock = clock;
    }

    /** What a start was prepared with, or why there can be none. */
    record Prepared(
            WorkerDevice device,
            @Nullable String wholeHash,
            @Nullable SpaceSummary summary,
            @Nullable Config anchor,
            List<TrialRepository.Pruned> pruned,
            @Nullable String refusal) {

        static Prepared refused(WorkerDevice device, String refusal) {
            return new Prepared(device, null, null, null, List.of(), refusal);
        }
    }

    /** Builds the space for a device, without a connection. */
    Prepared prepare(StudyRow study, WorkerDevice device) throws InterruptedException {
        try {
            return asks.ask(Asks.About.SPACE, "the space of the study", () -> built(study, device))
                    .answer();
        } catch (Asks.NoAnswer none) {
            return Prepared.refused(device, String.valueOf(none.getMessage()));
        }
    }

    private Prepared built(StudyRow study, WorkerDevice device) {
        int smCount = device.testbed().smCount();
        SearchSpace whole = spaces.whole(study.problem(), study.options().family(), smCount);
        SpaceTree tree;
        try {
            tree = spaces.tree(
                    study.problem(), study.options().family(), study.options().restriction(), smCount);
        } catch (IllegalArgumentException notOnThisDevice) {
            // When the job came, no such device was there to be asked.
            return Prepared.refused(device, "on " + device.testbed().device() + ": " + notOnThisDevice.getMessage());
        }
        if (tree.isEmpty()) {
            return Prepared.refused(
                    device, "on " + device.testbed().device() + " " + String.join("; ", EmptySpace.lines(tree)));
        }
        foresight.prepare(study, device.testbed());
        SearchSpace space = tree.space();
        boolean recorded = study.options().strategy().equals(EXHAUSTIVE) && space.points() <= RECORDED_POINTS;
        return new Prepared(
                device,
                whole.hash(),
                new SpaceSummary(space.points(), tree.size()),
                anchor(study, device),
                recorded ? pruned(space) : List.of(),
                null);
    }

    /** Starts a queued study, which the caller holds. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void on(StudyRow study, Prepared prepared) {
        SpaceSummary summary = prepared.summary();
        if (summary == null || prepared.wholeHash() == null) {
            flow.end(study, prepared.refusal());
            return;
        }
        // Workers do not know what the user left out: they compare the whole space.
        studies.bind(
                study.id(),
                prepared.device().testbedId(),
                build.id(),
                prepared.wholeHash(),
                summary,
                prepared.anchor(),
                clock.instant());
        trials.prune(study.id(), study.options().family(), prepared.pruned(), clock.instant());
        jobs.start(study.jobId());
        LOG.info(
                "study {}: {} {} on {}, {} configs",
                study.id(),
                study.options().family(),
                study.problem().shapes(),
                prepared.device().label(),
                summary.size());
        events.append(
                study.jobId(),
                new JobEvent.StudyStarted(
                        study.id(),
                        prepared.device().testbed(),
                        summary.size(),
                        study.options().budget().trials(),
                        study.spending().mostTrials(summary)));
    }

    /** Only on a GPU is something timed beside something. */
    private @Nullable Config anchor(StudyRow study, WorkerDevice device) {
        return device.testbed().kind() == TestbedKind.CUDA
                ? spaces.anchor(
                                study.problem(),
                                study.options().family(),
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
