package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.trial.Begun;
import dev.tilewright.worker.agent.trial.TrialPath;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.log.LogIds;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The work of one device on two threads: one fetches leases and has their kernels made ahead, the other runs them. */
final class DeviceLoop {

    private static final Logger LOG = System.getLogger(DeviceLoop.class.getName());

    /** The device is told of the first of these that becomes a trial. Those whose kernel failed take no device time. */
    private static final int LOOK_AHEAD = 4;

    /**
     * Between an answer without work and the next request: one that waited may be answered at once, again and again.
     */
    private static final Duration RETRY = Duration.ofMillis(20);

    private final String device;
    private final TrialPath path;
    private final WorkerSession session;
    private final LiveLeases leases;
    private final ReportOutbox outbox;
    private final Sleeper sleeper;
    private final DeviceTurn turn;
    private final Semaphore room;
    private final BlockingQueue<Fetched> ahead = new LinkedBlockingQueue<>();
    /** Of the lease that was run last. */
    private @Nullable UUID study;

    /**
     * A lease whose kernels are being made.
     *
     * @param heard is open when the API knows that the grant has arrived
     */
    private record Fetched(Begun begun, CountDownLatch heard) {

        boolean isHeard() {
            return heard.getCount() == 0;
        }
    }

    /**
     * @param device label, as registered
     * @param depth how many leases are held at most
     */
    DeviceLoop(
            String device,
            TrialPath path,
            WorkerSession session,
            LiveLeases leases,
            ReportOutbox outbox,
            Sleeper sleeper,
            int depth) {
        this.device = device;
        this.path = path;
        this.session = session;
        this.leases = leases;
        this.outbox = outbox;
        this.sleeper = sleeper;
        this.turn = new DeviceTurn(device, path.uuid());
        this.room = new Semaphore(depth);
    }

    /**
     * Fetches leases until interrupted.
     *
     * @throws ApiRefusedException if the API refuses for a reason that will not pass, such as a wrong token
     */
    void fetch() throws InterruptedException, ApiRefusedException {
        Backoff backoff = new Backoff();
        while (true) {
            room.acquire();
            int wanted = 1 + room.drainPermits();
            Duration pause = Duration.ZERO;
            int got = 0;
            try {
                LeaseGrant grant = session.lease(device, wanted);
                backoff.reset();
                got = grant.leases().size();
                begin(grant.leases());
                pause = got == 0 ? RETRY : Duration.ZERO;
            } catch (IOException away) {
                pause = backoff.pause();
            } finally {
                room.release(Math.max(0, wanted - got));
            }
            if (!pause.isZero()) {
                sleeper.sleep(pause);
            }
        }
    }

    /** Kernels and data are made while the API is told of the grant. */
    private void begin(List<Lease> granted) throws InterruptedException, ApiRefusedException {
        CountDownLatch heard = new CountDownLatch(1);
        granted.forEach(leases::add);
        granted.forEach(lease -> begin(lease, heard));
        confirm(granted);
        heard.countDown();
    }

    /**
     * Tells the API that a grant has arrived, until it has heard: only then an attempt at the work counts if nobody is
     * heard of it again, and only then may a kernel of it reach a device.
     */
    private void confirm(List<Lease> granted) throws InterruptedException, ApiRefusedException {
        Backoff backoff = new Backoff();
        for (boolean heard = granted.isEmpty(); !heard; ) {
            try {
                leases.lose(
                        session.heartbeat(granted.stream().map(Lease::leaseId).toList(), List.of())
                                .stop());
                heard = true;
            } catch (IOException away) {
                sleeper.sleep(backoff.pause());
            }
        }
    }

    private void begin(Lease lease, CountDownLatch heard) {
        try {
            ahead.add(new Fetched(path.begin(lease), heard));
        } catch (RuntimeException bug) {
            failed(lease, bug);
            room.release();
        }
    }

    /** Runs what was fetched until interrupted. */
    void work() throws InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            Fetched fetched = ahead.take();
            LogIds.with(ids(fetched.begun().lease())).<@Nullable Void, InterruptedException>call(() -> {
                finish(fetched, backoff);
                return null;
            });
        }
    }

    private static Map<String, String> ids(Lease lease) {
        Map<String, String> ids = new HashMap<>();
        ids.put("lease", lease.leaseId().toString());
        if (lease.jobId() != null) {
            ids.put("job", lease.jobId().toString());
        }
        if (lease.studyId() != null) {
            ids.put("study", lease.studyId().toString());
        }
        if (lease.work() instanceof Work.Screen screen) {
            ids.put("trial", screen.trialId().toString());
        }
        return ids;
    }

    private void finish(Fetched fetched, Backoff backoff) throws InterruptedException {
        Begun begun = fetched.begun();
        noteStudy(begun.lease());
        path.renew();
        boolean ahead = false;
        try (var _ = leases.watch(begun.lease().leaseId(), () -> abandon(begun))) {
            if (leases.holds(begun.lease().leaseId())) {
                fetched.heard().await();
                path.waited(turn.take());
                path.expect(begun);
            }
            if (!leases.holds(begun.lease().leaseId())) {
                begun.abandon();
                return;
            }
            List<Begun> next = turn.isWanted() ? List.of() : next();
            ahead = !next.isEmpty();
            Report report =
                    path.finish(begun, next, () -> leases.raced(begun.lease().leaseId()));
            if (report instanceof Report.Refused refused) {
                LOG.log(Level.WARNING, "lease " + begun.lease().leaseId() + " is refused: " + refused.reason());
            }
            report(begun.lease(), report);
            backoff.reset();
        } catch (CancellationException ended) {
            abandoned(begun.lease(), ended);
        } catch (DeviceUnusableException outOfOrder) {
            LOG.log(Level.ERROR, device + " is out of order: " + outOfOrder.getMessage());
            report(begun.lease(), new Report.Refused(begun.lease().fence(), outOfOrder.getMessage()));
            turn.giveBack();
            sleeper.sleep(backoff.pause());
        } catch (RuntimeException bug) {
            failed(begun.lease(), bug);
        } finally {
            if (!ahead) {
                turn.giveBack();
            }
            room.release();
        }
    }

    /** A line for each change of the study, and none for each trial: they are too many. */
    private void noteStudy(Lease lease) {
        if (lease.studyId() != null && !lease.studyId().equals(study)) {
            LOG.log(
                    Level.INFO,
                    device + " works on study " + lease.studyId() + ": "
                            + lease.problem().shapes());
        }
        study = lease.studyId();
    }

    /** Leases to run after the lease at hand. */
    private List<Begun> next() {
        return ahead.stream()
                .filter(Fetched::isHeard)
                .map(Fetched::begun)
                .filter(begun -> leases.holds(begun.lease().leaseId()))
                .limit(LOOK_AHEAD)
                .toList();
    }

    private void abandon(Begun begun) {
        begun.abandon();
        path.abandon();
    }

    private void abandoned(Lease lease, CancellationException ended) {
        if (leases.holds(lease.leaseId())) {
            failed(lease, ended);
        } else {
            LOG.log(Level.INFO, "lease " + lease.leaseId() + " is no longer ours: its work was ended");
        }
    }

    /**
     * A fault of one lease is reported; a fault that every lease would meet ends the thread, and with it the worker.
     */
    private void failed(Lease lease, RuntimeException bug) {
        DeadThreadException.unfit(bug).ifPresent(error -> {
            throw error;
        });
        LOG.log(Level.ERROR, "lease " + lease.leaseId() + " failed", bug);
        report(lease, failure(lease, "the worker failed: " + bug));
    }

    /** A lease that was stopped meanwhile is not reported. */
    private void report(Lease lease, Report report) {
        if (leases.holds(lease.leaseId())) {
            outbox.add(lease.leaseId(), report);
        }
    }

    private static Report failure(Lease lease, String log) {
        return switch (lease.work()) {
            case Work.Screen _ ->
                new Report.Screened(lease.fence(), TrialResult.failed(TrialOutcome.INFRASTRUCTURE, log));
            case Work.Run _ -> new Report.Ran(lease.fence(), new GpuTaskResult.Failed(log));
            case Work.Final last ->
                new Report.Finished(
                        lease.fence(),
                        FinalResult.failed(
                                last.contenders().stream()
                                        .map(contender -> Report.Arm.failed(
                                                contender.trialId(),
                                                lease.family(),
                                                contender.config(),
                                                TrialOutcome.INFRASTRUCTURE,
                                                log))
                                        .toList(),
                                log));
        };
    }
}
