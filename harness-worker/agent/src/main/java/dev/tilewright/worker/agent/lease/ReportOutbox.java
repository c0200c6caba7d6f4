package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.ReportBatch.LeaseReport;
import dev.tilewright.model.exchange.ReportBatch.RefusedReport;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Reports on their way to the API. A report stays until it is accepted, or refused because the lease is no longer ours;
 * the device does not wait for it. What has gathered while a request was under way goes out together in the next one: a
 * report of an idle worker leaves at once, and many that come faster than the API answers share its cost.
 */
final class ReportOutbox {

    /** Fewer than the API takes: it reads bodies of 32 MiB, which leaves a MiB for each. */
    static final int MOST_IN_A_REQUEST = 32;

    private static final Logger LOG = System.getLogger(ReportOutbox.class.getName());

    /** By lease, the oldest first. Reports that are being sent are still among them. */
    private final Map<UUID, LeaseReport> waiting = new LinkedHashMap<>();

    private final WorkerSession session;
    private final LiveLeases leases;
    private final Sleeper sleeper;

    ReportOutbox(WorkerSession session, LiveLeases leases, Sleeper sleeper) {
        this.session = session;
        this.leases = leases;
        this.sleeper = sleeper;
    }

    synchronized void add(UUID lease, Report report) {
        waiting.put(lease, new LeaseReport(lease, report));
        notifyAll();
    }

    /**
     * Sends reports until interrupted.
     *
     * @throws ApiRefusedException if the token is no longer accepted
     */
    void run() throws InterruptedException, ApiRefusedException {
        Backoff backoff = new Backoff();
        while (true) {
            if (deliver(await())) {
                backoff.reset();
            } else {
                sleeper.sleep(backoff.pause());
            }
        }
    }

    /**
     * Sends what is left until a request does not go through; for a worker that is stopping.
     *
     * @return whether all of it was sent
     */
    boolean flush() throws InterruptedException, ApiRefusedException {
        for (List<LeaseReport> batch = oldest(); !batch.isEmpty(); batch = oldest()) {
            if (!deliver(batch)) {
                return false;
            }
        }
        return true;
    }

    private synchronized List<LeaseReport> await() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return oldest();
    }

    private synchronized List<LeaseReport> oldest() {
        return waiting.values().stream().limit(MOST_IN_A_REQUEST).toList();
    }

    /** A batch that did not go through stays the first. To send it again does no harm. */
    private boolean deliver(List<LeaseReport> batch) throws InterruptedException, ApiRefusedException {
        boolean sent = sent(batch);
        if (sent) {
            synchronized (this) {
                batch.forEach(each -> waiting.remove(each.leaseId(), each));
            }
            batch.forEach(each -> leases.drop(each.leaseId()));
        }
        return sent;
    }

    private boolean sent(List<LeaseReport> batch) throws InterruptedException, ApiRefusedException {
        try {
            for (RefusedReport refused : session.report(new ReportBatch(batch))) {
                warn(refused.leaseId(), refused.line());
            }
            return true;
        } catch (IOException away) {
            return false;
        } catch (ApiRefusedException refused) {
            if (refused.isUnauthorized()) {
                throw refused;
            }
            return oneByOne(batch, refused);
        }
    }

    /** A refusal of a whole request says nothing about most reports in it: each report is sent alone. */
    private boolean oneByOne(List<LeaseReport> batch, ApiRefusedException refused)
            throws InterruptedException, ApiRefusedException {
        if (batch.size() == 1) {
            warn(batch.getFirst().leaseId(), String.valueOf(refused.getMessage()));
            return true;
        }
        for (LeaseReport each : batch) {
            if (!deliver(List.of(each))) {
                return false;
            }
        }
        return true;
    }

    private static void warn(UUID lease, String why) {
        LOG.log(Level.WARNING, "the report of lease " + lease + " was refused: " + why);
    }
}
