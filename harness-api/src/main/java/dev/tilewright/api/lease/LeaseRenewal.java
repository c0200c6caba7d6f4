package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.work.WorkedTimeRepository;
import dev.tilewright.api.worker.WorkerService;
import java.time.Instant;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** Begins all leases anew: their workers may have spoken unheard, or the clock was set. */
@Service
record LeaseRenewal(
        StudyRepository studies,
        Leases leases,
        WorkedTimeRepository times,
        WorkerService workers,
        TransactionTemplate transactions) {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);

    /**
     * Gives all leases their whole life from now on, and forgets what is from a time to come: the clock was set back.
     */
    void renew(Instant now) {
        // Each by itself: a report holds its study, then leases, and nobody may hold these while he waits for a study.
        int back = studies.notBegunAfter(now);
        int renewed = Objects.requireNonNull(transactions.execute(status -> leases.renew()));
        times.skip();
        back += workers.renew(now);
        if (renewed > 0) {
            LOG.warn("{} leases begin anew: their workers could not reach the service, or the clock was set", renewed);
        }
        LOG.debug("{} times of workers and studies lay ahead of the clock, and are now set to its time", back);
    }
}
