package dev.tilewright.api.study.flow;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.space.SpaceSummary;
import dev.tilewright.space.families.FamilyBuild;
import dev.tilewright.space.family.FamilySpace;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Binds a study to the first device that takes it: only now is its search space known. */
@Service
class StudyStart {

    private static final Logger LOG = LoggerFactory.getLogger(StudyStart.class);

    private final StudyRepository studies;
    private final StudySpaces spaces;
    private final TrialRepository trials;
    private final JobProgressRepository jobs;
    private final StudyFlow flow;
    private final EventLog events;
    private final FamilyBuild build;
    private final Preparation preparation;
    private final Clock clock;

    StudyStart(
            StudyRepository studies,
            StudySpaces spaces,
            TrialRepository trials,
            JobProgressRepository jobs,
            StudyFlow flow,
            EventLog events,
            FamilyBuild build,
            Preparation preparation,
            Clock clock) {
        this.studies = studies;
        this.spaces = spaces;
        this.trials = trials;
        this.jobs = jobs;
        this.flow = flow;
        this.events = events;
        this.build = build;
        this.preparation = preparation;
        this.clock = clock;
    }

    /** Builds the space for a device, without a connection. */
    Preparation.Prepared prepare(StudyRow study, WorkerDevice device) throws InterruptedException {
        FamilySpace family;
        try {
            family = spaces.families().named(study.options().family());
        } catch (IllegalArgumentException unknown) {
            return Preparation.Prepared.refused(device, String.valueOf(unknown.getMessage()));
        }
        return preparation.of(study, family, device);
    }

    /** Starts a queued study, which the caller holds. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void on(StudyRow study, Preparation.Prepared prepared) {
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
}
