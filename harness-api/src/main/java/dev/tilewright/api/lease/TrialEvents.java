package dev.tilewright.api.lease;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.TrialMeters;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.JobEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;

/** Tells that trials ended, each with how the study stands then. */
@Service
record TrialEvents(EventLog events, TrialMeters meters, Clock clock) {

    /** A trial that ended, and when it was leased. */
    record EndedTrial(TrialRepository.Ended trial, Instant leasedAt) {

        private JobEvent.TrialFinished told(StudyRow study) {
            return new JobEvent.TrialFinished(
                    study.id(),
                    trial.id(),
                    trial.config(),
                    trial.outcome(),
                    trial.tflops(),
                    trial.finished(),
                    trial.completed(),
                    study.options().budget().trials(),
                    trial.fastestScreenTflops());
        }
    }

    /** In the transaction that ended the trials, in their order. */
    void finished(StudyRow study, List<EndedTrial> trials) {
        events.append(
                study.jobId(), trials.stream().map(each -> each.told(study)).toList());
        for (EndedTrial each : trials) {
            meters.finished(
                    each.trial().outcome(),
                    study.bound().testbed().kind(),
                    Duration.between(each.leasedAt(), clock.instant()));
        }
    }
}
