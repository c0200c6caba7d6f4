package dev.tilewright.api.lease;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.search.History;
import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.study.StudyState;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialCounts;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Moves a study on: asks the search for more, calls the final, ends it. Every method is called inside a transaction
 * that holds the study, so that two replicas of the service never move one study at a time.
 */
@Service
@Transactional(propagation = Propagation.MANDATORY)
public class StudyFlow {

    /** Trials that are open at a time, at the least, of a strategy that learns: it cannot learn from what is open. */
    private static final int OPEN_LEARNING = 8;
    /** The same of others: so many texts can be assembled at once. Where workers hold more of them, twice as many. */
    private static final int OPEN = 64;

    private static final String CANCELLED = "the job was cancelled";

    private final StudyRepository studies;
    private final StudySpaces spaces;
    private final Strategies strategies;
    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final FinalRepository finals;
    private final LeaseRepository leases;
    private final JobProgressRepository jobs;
    private final EventLog events;
    private final Contenders contenders;
    private final LeaseMeters meters;
    private final Clock clock;

    StudyFlow(
            StudyRepository studies,
            StudySpaces spaces,
            Strategies strategies,
            TrialRepository trials,
            MeasurementRepository measurements,
            FinalRepository finals,
            LeaseRepository leases,
            JobProgressRepository jobs,
            EventLog events,
            Contenders contenders,
            LeaseMeters meters,
            Clock clock) {
        this.studies = studies;
        this.spaces = spaces;
        this.strategies = strategies;
        this.trials = trials;
        this.measurements = measurements;
        this.finals = finals;
        this.leases = leases;
        this.jobs = jobs;
        this.events = events;
        this.contenders = contenders;
        this.meters = meters;
        this.clock = clock;
    }

    /** Queues ahead of the workers, and goes on to the final and to the end when nothing is left to wait for. */
    void advance(UUID studyId) {
        StudyRow study = studies.lock(studyId).orElseThrow();
        if (study.state() != StudyState.RUNNING) {
            return;
        }
        // First, since what was asked may be open for long after the search has come to its end.
        boolean timeIsUp = stopIfTimeIsUp(study);
        boolean exhausted = timeIsUp || study.exhausted() || !ask(study, trials.counts(studyId));
        if (exhausted && !trials.anyOpen(studyId)) {
            conclude(study);
        }
    }

    private boolean stopIfTimeIsUp(StudyRow study) {
        Integer seconds = study.budget().seconds();
        if (seconds == null
                || clock.instant().isBefore(study.bound().startedAt().plus(Duration.ofSeconds(seconds)))) {
            return false;
        }
        cancelTrials(study, false, "the " + seconds + " s of the budget were over", clock.instant());
        studies.exhaust(study.id());
        return true;
    }

    /** Asks for as many configs as keep the workers busy; false if there will be no more. */
    private boolean ask(StudyRow study, TrialCounts counts) {
        SearchStrategy strategy = strategies.named(study.strategy());
        int left = study.budget().trials() - counts.total();
        int most = mostOpen(strategy, counts);
        int room = most - counts.open();
        if (left > 0 && room < most / 2) {
            return true;
        }
        int wanted = Math.min(left, room);
        if (wanted > 0) {
            List<Config> asked = strategy.ask(spaces.space(study), history(study), wanted);
            trials.queue(study.id(), study.family(), asked, clock.instant());
            if (asked.size() == wanted && left > wanted) {
                return true;
            }
        }
        studies.exhaust(study.id());
        return false;
    }

    /** Who learns is asked for a quarter of what it has asked for, so that a long study keeps many devices at work. */
    private static int mostOpen(SearchStrategy strategy, TrialCounts counts) {
        int most = Math.max(OPEN, 2 * counts.leased());
        return strategy.learns() ? Math.clamp(counts.total() / 4, OPEN_LEARNING, most) : most;
    }

    private History history(StudyRow study) {
        List<TrialRepository.Seen> seen = trials.history(study.id());
        TestbedKind kind = study.bound().testbed().kind();
        ScreenScale scale = kind == TestbedKind.CUDA
                ? ScreenScale.of(seen.stream()
                        .flatMap(trial -> Optional.ofNullable(trial.screen()).stream())
                        .toList())
                : ScreenScale.TIME;
        return new History(
                study.problem(),
                study.seed(),
                switch (kind) {
                    case CUDA -> History.Sought.STEADY_STATE;
                    case SIMULATED -> History.Sought.SETTLED;
                    case EMULATED -> History.Sought.MEASURED;
                },
                seen.stream()
                        .map(trial -> new History.Asked(
                                trial.config(),
                                trial.outcome(),
                                trial.screen() == null ? null : 1 / scale.time(trial.screen())))
                        .toList());
    }

    private void conclude(StudyRow study) {
        if (study.bound().testbed().kind() == TestbedKind.CUDA && study.budget().finalists() > 0) {
            if (finals.contenders(study.id()).isPresent()) {
                return;
            }
            List<Work.Contender> best = contenders.of(study);
            if (!best.isEmpty()) {
                finals.queue(study.id(), best, clock.instant());
                events.append(
                        study.jobId(),
                        Progress.STUDY_FINAL,
                        new Progress.StudyFinal(
                                study.id(),
                                best.size(),
                                Math.min(best.size(), study.budget().finalists())));
                return;
            }
        }
        end(study, null);
    }

    /** Ends a study that ran to its end or cannot go on. */
    void end(StudyRow study, @Nullable String error) {
        Instant now = clock.instant();
        if (error != null) {
            cancelTrials(study, true, error, now);
            finals.drop(study.id(), error, now);
            cancelLeases(study.id(), now);
        }
        studies.end(study.id(), StudyState.FINISHED, error, now);
        events.append(
                study.jobId(),
                Progress.STUDY_FINISHED,
                new Progress.StudyFinished(
                        study.id(), StudyState.FINISHED.toString(), error, measurements.bestTflops(study.id())));
        if (jobs.finishIfDone(study.jobId(), now)) {
            events.appendLast(
                    study.jobId(),
                    Progress.JOB_FINISHED,
                    new Progress.JobFinished(study.jobId(), StudyState.FINISHED.toString()));
        }
    }

    private void cancelTrials(StudyRow study, boolean leasedToo, String why, Instant now) {
        int cancelled = trials.cancel(study.id(), leasedToo, why, now);
        // Without a testbed there are no trials yet.
        if (study.testbed() != null) {
            meters.cancelled(study.testbed().kind(), cancelled);
        }
    }

    private void cancelLeases(UUID studyId, Instant now) {
        meters.ended(LeaseRow.Ending.CANCELLED, leases.cancel(studyId, now));
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
        cancelLeases(studyId, now);
        studies.end(studyId, StudyState.CANCELLED, null, now);
        events.append(
                study.jobId(),
                Progress.STUDY_FINISHED,
                new Progress.StudyFinished(
                        studyId, StudyState.CANCELLED.toString(), null, measurements.bestTflops(studyId)));
    }
}
