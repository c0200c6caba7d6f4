package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes work back from workers that were not heard in time. */
@Service
record LeaseExpiry(
        StudyRepository studies,
        StudyFlow flow,
        StudyDriver driver,
        TrialRepository trials,
        FinalRepository finals,
        LeaseRepository leases,
        TaskLeases tasks,
        TrialEvents events,
        LeaseMeters meters,
        WorkerService workers,
        ServiceSettings settings,
        TransactionTemplate transactions,
        Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseExpiry.class);
    /** After so many workers that were lost with the same work, it is not leased again. */
    private static final int MAX_LOST_WORKERS = 3;

    /**
     * Takes back what was overdue at a moment anywhere, and wakes the drivers of the studies whose time is limited. A
     * study that is held for too long is left for the next time.
     *
     * @param heard asked before each study; the rest is left for the next time if it says no
     */
    void sweep(Instant now, BooleanSupplier heard) {
        for (UUID studyId : leases.overdueStudies(now)) {
            if (!heard.getAsBoolean()) {
                return;
            }
            try {
                takeBack(studyId, now);
            } catch (DataAccessException | TransactionException held) {
                LOG.warn("study {}: overdue leases are not taken back: {}", studyId, held.getMessage());
            }
        }
        tasks.expire(now);
        studies.timed().forEach(driver::moved);
    }

    /**
     * Gives all leases their whole life from now on, and forgets what is from a time to come: the clock was set back.
     */
    void renew(Instant now) {
        // Each by itself: a report holds its study, then leases, and nobody may hold these while he waits for a study.
        int back = studies.notBegunAfter(now);
        int renewed = leases.renew(now, settings.leaseTtl());
        tasks.renew(now);
        back += workers.renew(now);
        if (renewed > 0) {
            LOG.warn("{} leases begin anew: their workers could not reach the service, or the clock was set", renewed);
        }
        LOG.debug("{} times of workers and studies lay ahead of the clock, and are now set to its time", back);
    }

    private void takeBack(UUID studyId, Instant now) {
        transactions.executeWithoutResult(status -> studies.lock(studyId).ifPresent(study -> expire(studyId, now)));
        driver.moved(studyId);
    }

    /** Takes back what is overdue in a study that the caller holds. */
    private void expire(UUID studyId, Instant now) {
        for (LeaseRow lease : leases.overdue(studyId, now)) {
            leases.expire(lease.id(), now).ifPresent(ending -> {
                LOG.atInfo()
                        .addKeyValue("study", lease.studyId())
                        .addKeyValue("trial", lease.trialId())
                        .log("lease {} of worker {}: {}", lease.id(), lease.workerId(), ending);
                meters.ended(ending, 1);
                takeBack(lease, ending == LeaseRow.Ending.EXPIRED);
            });
        }
    }

    /** @param counted whether it is an attempt: somebody may have begun to run it, and whatever happened then counts */
    private void takeBack(LeaseRow lease, boolean counted) {
        StudyRow study = studies.find(lease.studyId()).orElseThrow();
        boolean hopeless = leases.lost(lease.studyId(), lease.trialId()) >= MAX_LOST_WORKERS;
        String why = MAX_LOST_WORKERS + " workers were lost while they held this";
        if (lease.trialId() == null) {
            finals.requeue(lease.studyId(), counted);
            if (hopeless) {
                flow.end(study, "the final could not be run: " + why);
            }
        } else if (hopeless) {
            TrialRepository.Ended trial =
                    trials.giveUp(study.id(), lease.trialId(), TrialOutcome.INFRASTRUCTURE, why, clock.instant());
            events.finished(study, List.of(new TrialEvents.EndedTrial(trial, lease.grantedAt())));
        } else {
            trials.requeue(lease.trialId(), counted);
        }
    }
}
