package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Service;

/** The handling of work whose worker was lost. */
@Service
record LostWork(
        StudyRepository studies,
        StudyFlow flow,
        LeasedWork work,
        TrialRepository trials,
        LeaseRepository leases,
        TrialEvents events,
        Clock clock) {

    /** After so many workers that were lost with the same work, it is not leased again. */
    private static final int MAX_LOST_WORKERS = 3;

    /**
     * Gives it back to the queue, or up.
     *
     * @param counted whether it is an attempt: somebody may have begun to run it, and whatever happened then counts
     */
    void takeBack(LeaseRow lease, boolean counted) {
        StudyRow study = studies.find(lease.studyId()).orElseThrow();
        boolean hopeless = leases.lost(lease.studyId(), lease.trialId()) >= MAX_LOST_WORKERS;
        String why = MAX_LOST_WORKERS + " workers were lost while they held this";
        if (lease.trialId() == null) {
            work.requeue(lease, counted);
            if (hopeless) {
                flow.end(study, "the final could not be run: " + why);
            }
        } else if (hopeless) {
            TrialRepository.Ended trial =
                    trials.giveUp(study.id(), lease.trialId(), TrialOutcome.INFRASTRUCTURE, why, clock.instant());
            events.finished(study, List.of(new TrialEvents.EndedTrial(trial, lease.grantedAt())));
        } else {
            work.requeue(lease, counted);
        }
    }
}
