package dev.tilewright.api.lease;

import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.trial.TrialRepository;
import org.springframework.stereotype.Service;

/** The work of leases: a trial each, or the final of a study. */
@Service
record LeasedWork(TrialRepository trials, FinalRepository finals) {

    /**
     * Gives work back to the queue.
     *
     * @param counted whether the lease was an attempt
     */
    void requeue(LeaseRow lease, boolean counted) {
        if (lease.trialId() == null) {
            finals.requeue(lease.studyId(), counted);
        } else {
            trials.requeue(lease.trialId(), counted);
        }
    }
}
