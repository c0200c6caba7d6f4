package dev.tilewright.api.lease;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.Standing;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.Progress;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TrialCounts;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Tells that a trial ended, with how the study stands now. */
@Service
class TrialEvents {

    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final EventLog events;
    private final LeaseMeters meters;
    private final Clock clock;

    TrialEvents(
            TrialRepository trials,
            MeasurementRepository measurements,
            EventLog events,
            LeaseMeters meters,
            Clock clock) {
        this.trials = trials;
        this.measurements = measurements;
        this.events = events;
        this.meters = meters;
        this.clock = clock;
    }

    /** In the transaction that ended the trial. */
    void finished(StudyRow study, UUID trialId, Instant leasedAt) {
        TrialRow trial = trials.find(trialId).orElseThrow();
        TrialOutcome outcome = Objects.requireNonNull(trial.outcome());
        TrialCounts counts = trials.counts(study.id());
        events.append(
                study.jobId(),
                Progress.TRIAL_FINISHED,
                new Progress.TrialFinished(
                        study.id(),
                        trialId,
                        trial.config(),
                        outcome,
                        Standing.lastSustained(measurements.ofTrial(trialId))
                                .map(Measurement::tflops)
                                .orElse(null),
                        counts.finished(),
                        counts.completed(),
                        study.budget().trials(),
                        measurements.bestTflops(study.id())));
        meters.finished(outcome, study.bound().testbed().kind(), Duration.between(leasedAt, clock.instant()));
    }
}
