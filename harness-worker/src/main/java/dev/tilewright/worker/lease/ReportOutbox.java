package dev.tilewright.worker.lease;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.worker.client.ApiRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.UUID;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * Reports on their way to the API. A report stays until it is accepted, or refused because the lease is no longer ours;
 * the device does not wait for it.
 */
final class ReportOutbox {

    private static final Logger LOG = System.getLogger(ReportOutbox.class.getName());

    private final BlockingDeque<Entry> entries = new LinkedBlockingDeque<>();
    private final WorkerSession session;
    private final LiveLeases leases;
    private final Sleeper sleeper;

    private record Entry(UUID lease, Report report) {}

    ReportOutbox(WorkerSession session, LiveLeases leases, Sleeper sleeper) {
        this.session = session;
        this.leases = leases;
        this.sleeper = sleeper;
    }

    void add(UUID lease, Report report) {
        entries.add(new Entry(lease, report));
    }

    /**
     * Sends reports until interrupted.
     *
     * @throws ApiRefusedException if the token is no longer accepted
     */
    void run() throws InterruptedException, ApiRefusedException {
        Backoff backoff = new Backoff();
        while (true) {
            Entry entry = entries.takeFirst();
            if (deliver(entry)) {
                backoff.reset();
            } else {
                sleeper.sleep(backoff.pause());
            }
        }
    }

    /** Sends what is left, each report once, until one does not go through; for a worker that is stopping. */
    void flush() throws InterruptedException, ApiRefusedException {
        for (Entry entry = entries.pollFirst(); entry != null && deliver(entry); ) {
            entry = entries.pollFirst();
        }
    }

    /** An entry that did not go through, for whatever reason, is the first again. */
    private boolean deliver(Entry entry) throws InterruptedException, ApiRefusedException {
        boolean sent = false;
        try {
            sent = sent(entry);
            return sent;
        } finally {
            if (sent) {
                leases.drop(entry.lease());
            } else {
                entries.addFirst(entry);
            }
        }
    }

    private boolean sent(Entry entry) throws InterruptedException, ApiRefusedException {
        try {
            session.report(entry.lease(), entry.report());
            return true;
        } catch (IOException away) {
            return false;
        } catch (ApiRefusedException refused) {
            if (refused.isUnauthorized()) {
                throw refused;
            }
            LOG.log(Level.WARNING, "the report of lease " + entry.lease() + " was refused: " + refused.getMessage());
            return true;
        }
    }
}
