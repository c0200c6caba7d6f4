package dev.tilewright.api.lease;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.Progress;
import dev.tilewright.api.trial.Tally;
import dev.tilewright.api.trial.TrialRepository;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Service;

/** Tells that a trial ended, with how the study stands now. */
@Service
class TrialEvents {

    private final EventLog events;
    private final LeaseMeters meters;
    private final Clock clock;

    TrialEvents(EventLog events, LeaseMeters meters, Clock clock) {
        this.events = events;
        this.meters = meters;
        this.clock = clock;
    }

    /** In the transaction that ended the trial. */
    void finished(StudyRow study, TrialRepository.Ended trial, Instant leasedAt) {
        Tally tally = trial.tally();
        events.append(
                study.jobId(),
                Progress.TRIAL_FINISHED,
                new Progress.TrialFinished(
                        study.id(),
                        trial.id(),
                        trial.config(),
                        trial.outcome(),
                        trial.tflops(),
                        tally.finished(),
                        tally.completed(),
                        study.budget().trials(),
                        tally.bestTflops()));
        meters.finished(trial.outcome(), study.bound().testbed().kind(), Duration.between(leasedAt, clock.instant()));
    }
}
