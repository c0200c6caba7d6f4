package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.flow.StudyDriver;
import java.time.Instant;
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
        StudyDriver driver,
        LeaseRepository leases,
        LostWork lost,
        TaskLeases tasks,
        LeaseMeters meters,
        TransactionTemplate transactions) {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseExpiry.class);

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
                lost.takeBack(lease, ending == LeaseRow.Ending.EXPIRED);
            });
        }
    }
}
