package dev.tilewright.api.study.flow;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.Tally;
import dev.tilewright.api.trial.TallyRepository;
import dev.tilewright.api.trial.TrialMeters;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.work.Leases;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The steps of a study, each a few rows: trials are queued, the final is called, the study ends. Every method is called
 * inside a transaction that holds the study.
 */
@Service
@Transactional(propagation = Propagation.MANDATORY)
public class StudyFlow {

    private static final Logger LOG = LoggerFactory.getLogger(StudyFlow.class);

    private static final String CANCELLED = "the job was cancelled";

    private final StudyRepository studies;
    private final TrialRepository trials;
    private final TallyRepository tallies;
    private final FinalRepository finals;
    private final Leases leases;
    private final TrialMeters meters;
    private final JobProgressRepository jobs;
    private final EventLog events;
    private final Clock clock;

    StudyFlow(
            StudyRepository studies,
            TrialRepository trials,
            TallyRepository tallies,
            FinalRepository finals,
            Leases leases,
            TrialMeters meters,
            JobProgressRepository jobs,
            EventLog events,
            Clock clock) {
        this.studies = studies;
        this.trials = trials;
        this.tallies = tallies;
        this.finals = finals;
        this.leases = leases;
        this.meters = meters;
        this.jobs = jobs;
        this.events = events;
        this.clock = clock;
    }

    /** Queues what the search asked for. */
    void queue(StudyRow study, List<Config> configs, @Nullable Asked asked) {
        trials.queue(study.id(), study.options().family(), configs, clock.instant());
        if (asked != null && !configs.isEmpty()) {
            tell(study, asked, configs.size());
        }
    }

    private void tell(StudyRow study, Asked asked, int configs) {
        events.append(
                study.jobId(),
                new JobEvent.StudyAsked(study.id(), asked.about().toString(), asked.at(), asked.answeredAt(), configs));
    }

    /** The search asks for nothing more. */
    void exhaust(StudyRow study) {
        studies.exhaust(study.id());
    }

    /** The time of a study is up: what is queued is not evaluated any more. */
    void stop(StudyRow study, String why) {
        cancelTrials(study, false, why, clock.instant());
        studies.exhaust(study.id());
    }

    /** The sweep is over: a worker is to race these, and to time the winners. */
    void race(StudyRow study, List<Work.Contender> contenders, Asked asked) {
        finals.queue(study.id(), contenders, clock.instant());
        tell(study, asked, contenders.size());
        LOG.info("study {}: the sweep is over, {} contenders for the final", study.id(), contenders.size());
        events.append(
                study.jobId(),
                new JobEvent.StudyRace(
                        study.id(),
                        contenders.size(),
                        Math.min(contenders.size(), study.options().budget().finalists())));
    }

    /** The race is over, as a worker says, and may say again. */
    public void raced(StudyRow study) {
        if (finals.raced(study.id(), clock.instant())) {
            events.append(study.jobId(), new JobEvent.StudyFinal(study.id()));
        }
    }

    /** Ends a study that ran to its end or cannot go on. */
    public void end(StudyRow study, @Nullable String error) {
        Instant now = clock.instant();
        if (error != null) {
            cancelTrials(study, true, error, now);
            finals.drop(study.id(), error, now);
            leases.cancel(study.id());
        }
        StudyState state = error == null ? StudyState.FINISHED : StudyState.FAILED;
        studies.end(study.id(), state, error, now);
        LOG.info("study {}: over{}", study.id(), error == null ? "" : ": " + error);
        tell(study, state, error);
        endJobIfDone(study.jobId());
    }

    /** Ends a job of which nothing is open any more, and says so. */
    public void endJobIfDone(UUID jobId) {
        jobs.endIfDone(jobId, clock.instant())
                .ifPresent(ended -> events.append(jobId, new JobEvent.JobEnded(jobId, ended)));
    }

    private void cancelTrials(StudyRow study, boolean leasedToo, String why, Instant now) {
        int cancelled = trials.cancel(study.id(), leasedToo, why, now);
        // Without a testbed there are no trials yet.
        if (study.testbed() != null) {
            meters.cancelled(study.testbed().kind(), cancelled);
        }
    }

    /** Cancels a study: what is queued or leased ends at once, and workers are told by their next heartbeat. */
    public void cancel(UUID studyId) {
        StudyRow study = studies.lock(studyId).orElseThrow();
        if (study.state().isOver()) {
            return;
        }
        Instant now = clock.instant();
        cancelTrials(study, true, CANCELLED, now);
        finals.drop(studyId, CANCELLED, now);
        leases.cancel(studyId);
        studies.end(studyId, StudyState.CANCELLED, null, now);
        tell(study, StudyState.CANCELLED, null);
    }

    private void tell(StudyRow study, StudyState state, @Nullable String error) {
        Tally tally = tallies.of(study.id());
        events.append(
                study.jobId(),
                new JobEvent.StudyFinished(
                        study.id(), state, error, tally.bestTflops(study.testbed()), tally.bestStage(study.testbed())));
    }
}
