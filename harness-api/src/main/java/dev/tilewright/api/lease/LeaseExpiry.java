package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
record LeaseExpiry(StudyRepository studies, StudyDriver driver, WorkQueue queue, TransactionTemplate transactions) {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseExpiry.class);

    /**
     * Takes back what was overdue at a moment anywhere, and wakes the drivers of the studies whose time is limited. An
     * owner of work that is held for too long is left for the next time.
     *
     * @param heard asked before each owner; the rest is left for the next time if it says no
     */
    void sweep(Instant now, BooleanSupplier heard) {
        for (Map.Entry<UUID, WorkId.Type> overdue : queue.overdue(now).entrySet()) {
            if (!heard.getAsBoolean()) {
                return;
            }
            try {
                takeBack(overdue.getKey(), overdue.getValue(), now);
            } catch (DataAccessException | TransactionException held) {
                LOG.warn("overdue leases of {} are not taken back: {}", overdue.getKey(), held.getMessage());
            } catch (RuntimeException broken) {
                // One owner that cannot be read must not keep the leases of all others.
                LOG.error("overdue leases of {} are not taken back", overdue.getKey(), broken);
            }
        }
        studies.timed().forEach(driver::moved);
    }

    private void takeBack(UUID owner, WorkId.Type type, Instant now) {
        List<LeaseRow> ended = Objects.requireNonNull(transactions.execute(status -> queue.takeBack(owner, type, now)));
        for (LeaseRow lease : ended) {
            LOG.atInfo()
                    .addKeyValue("owner", owner)
                    .addKeyValue("work", lease.work().id())
                    .log("lease {} of worker {}: {}", lease.id(), lease.workerId(), lease.ending());
        }
        if (type != WorkId.Type.TASK) {
            driver.moved(owner);
        }
    }
}
