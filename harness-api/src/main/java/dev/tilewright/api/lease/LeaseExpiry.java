package dev.tilewright.api.lease;

import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes work back from workers that were not heard in time. */
@Service
public class LeaseExpiry {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseExpiry.class);
    private static final int MOST_LOST = 3;

    private final StudyRepository studies;
    private final StudyFlow flow;
    private final StudyDriver driver;
    private final TrialRepository trials;
    private final FinalRepository finals;
    private final LeaseRepository leases;
    private final TrialEvents events;
    private final LeaseMeters meters;
    private final TransactionTemplate transactions;
    private final Clock clock;

    LeaseExpiry(
            StudyRepository studies,
            StudyFlow flow,
            StudyDriver driver,
            TrialRepository trials,
            FinalRepository finals,
            LeaseRepository leases,
            TrialEvents events,
            LeaseMeters meters,
            TransactionTemplate transactions,
            Clock clock) {
        this.studies = studies;
        this.flow = flow;
        this.driver = driver;
        this.trials = trials;
        this.finals = finals;
        this.leases = leases;
        this.events = events;
        this.meters = meters;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Takes back what is overdue anywhere, and wakes the drivers of the studies whose time is limited. A study that is
     * held for too long is left for the next time.
     */
    public void sweep() {
        for (UUID studyId : leases.overdueStudies(clock.instant())) {
            try {
                takeBack(studyId, () -> studies.lock(studyId));
            } catch (DataAccessException | TransactionException held) {
                LOG.warn("study {}: overdue leases are not taken back: {}", studyId, held.getMessage());
            }
        }
        studies.timed().forEach(driver::moved);
    }

    /** Takes back what is overdue in a study, unless somebody holds it at this moment; false if nothing is. */
    boolean takeBackIfFree(UUID studyId) {
        return !leases.overdue(studyId, clock.instant()).isEmpty()
                && takeBack(studyId, () -> studies.lockIfFree(studyId));
    }

    private boolean takeBack(UUID studyId, Supplier<Optional<StudyRow>> lock) {
        Boolean held = transactions.execute(status -> {
            Optional<StudyRow> study = lock.get();
            study.ifPresent(own -> expire(studyId));
            return study.isPresent();
        });
        driver.moved(studyId);
        return Boolean.TRUE.equals(held);
    }

    /** Takes back what is overdue in a study that the caller holds. */
    private void expire(UUID studyId) {
        List<LeaseRow> overdue = leases.overdue(studyId, clock.instant());
        for (LeaseRow lease : overdue) {
            leases.expire(lease.id(), clock.instant()).ifPresent(ending -> {
                LOG.info("lease {} of worker {}: {}", lease.id(), lease.workerId(), ending);
                meters.ended(ending, 1);
                takeBack(lease, ending == LeaseRow.Ending.EXPIRED);
            });
        }
    }

    /** @param counted whether it is an attempt: somebody may have begun to run it, and whatever happened then counts */
    private void takeBack(LeaseRow lease, boolean counted) {
        StudyRow study = studies.find(lease.studyId()).orElseThrow();
        boolean hopeless = leases.lost(lease.studyId(), lease.trialId()) >= MOST_LOST;
        String why = MOST_LOST + " workers were lost while they held this";
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
