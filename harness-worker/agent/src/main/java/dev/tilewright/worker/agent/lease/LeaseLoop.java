package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.worker.agent.trial.TrialPath;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A worker at work: one loop and one thread of reports a device, and heartbeats from time to time and after a race. */
public final class LeaseLoop {

    private static final Logger LOG = System.getLogger(LeaseLoop.class.getName());

    private final WorkerSession session;
    private final Map<String, TrialPath> devices;
    private final int depth;
    private final Sleeper sleeper;
    private final HeartbeatFile answered;
    private final LiveLeases leases = new LiveLeases();
    /** One for each device: studies on several GPUs do not wait for each other's reports. */
    private final Map<String, ReportOutbox> outboxes;

    private final List<Thread> threads = new ArrayList<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /**
     * @param devices path of each device, by its label
     * @param depth how many leases a device holds at most
     * @param answered is touched by each heartbeat that the API answers
     */
    public LeaseLoop(
            WorkerSession session, Map<String, TrialPath> devices, int depth, Sleeper sleeper, HeartbeatFile answered) {
        this.session = session;
        this.devices = Map.copyOf(devices);
        this.depth = depth;
        this.sleeper = sleeper;
        this.answered = answered;
        this.outboxes = devices.keySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Function.identity(), label -> new ReportOutbox(session, leases, sleeper)));
    }

    /**
     * Registers and works until stopped.
     *
     * @throws ApiRefusedException if the API will not have this worker, such as for a wrong token
     * @throws DeadThreadException if a thread has ended by anything else
     */
    public void run() throws InterruptedException, ApiRefusedException {
        register();
        synchronized (threads) {
            start("heartbeats", this::heartbeats);
            start("races", this::races);
            devices.forEach((label, path) -> {
                ReportOutbox outbox = Objects.requireNonNull(outboxes.get(label));
                start("reports " + label, outbox::run);
                DeviceLoop loop = new DeviceLoop(label, path, session, leases, outbox, sleeper, depth);
                start("fetch " + label, loop::fetch);
                start("device " + label, loop::work);
            });
        }
        try {
            end.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof ApiRefusedException refused) {
                throw refused;
            }
            if (failed.getCause() instanceof DeadThreadException dead) {
                throw dead;
            }
            throw failed;
        } finally {
            interruptAll();
        }
    }

    private void register() throws InterruptedException, ApiRefusedException {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                session.register();
                return;
            } catch (IOException away) {
                sleeper.sleep(backoff.pause());
            }
        }
    }

    private interface Loop {
        void run() throws InterruptedException, ApiRefusedException;
    }

    /**
     * A loop ends only when the worker stops, or by a fault that ends the worker. A thread that died alone would leave
     * a worker that extends its leases and does nothing.
     */
    private void start(String name, Loop loop) {
        threads.add(Thread.ofPlatform().name(name).daemon().start(() -> {
            try {
                loop.run();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            } catch (ApiRefusedException refused) {
                end.completeExceptionally(refused);
            } catch (Throwable fatal) {
                DeadThreadException dead = new DeadThreadException(name, fatal);
                end.completeExceptionally(dead);
                LOG.log(Level.ERROR, dead.getMessage(), fatal);
            }
        }));
    }

    private void heartbeats() throws InterruptedException, ApiRefusedException {
        while (true) {
            sleeper.sleep(leases.heartbeatPeriod());
            beat();
        }
    }

    /** A final is short: that it has begun is said at once. */
    private void races() throws InterruptedException, ApiRefusedException {
        while (true) {
            leases.awaitRace();
            beat();
        }
    }

    private void beat() throws InterruptedException, ApiRefusedException {
        try {
            leases.lose(session.heartbeat(leases.ids(), leases.raced()).stop());
            answered.touch();
        } catch (IOException away) {
            // The next heartbeat comes before a lease can expire.
        }
    }

    /**
     * Stops all loops, sends the reports that are ready and gives back every other lease; an API that is away is not
     * waited for, the leases then expire by themselves.
     *
     * @return what became of the leases, in words. It is not logged, since a worker stops in the JVM's shutdown, in
     *     which logs go nowhere
     */
    public String stop() {
        interruptAll();
        int held = leases.all().size();
        try {
            if (!flushed()) {
                return leftBehind("the service is away");
            }
            int reported = held - leases.all().size();
            int open = leases.all().size();
            return givenBack()
                    ? "the worker stops: " + reported + " leases were reported, " + open + " were given back"
                    : leftBehind("the service is away");
        } catch (ApiRefusedException notTaken) {
            return leftBehind(String.valueOf(notTaken.getMessage()));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return leftBehind("interrupted");
        } finally {
            end.complete(null);
        }
    }

    private String leftBehind(String why) {
        return "the worker stops: " + leases.all().size() + " leases were not given back and will expire: " + why;
    }

    private boolean flushed() throws InterruptedException, ApiRefusedException {
        for (ReportOutbox outbox : outboxes.values()) {
            if (!outbox.flush()) {
                return false;
            }
        }
        return true;
    }

    private boolean givenBack() throws InterruptedException, ApiRefusedException {
        ReportOutbox back = new ReportOutbox(session, leases, sleeper);
        for (Lease lease : leases.all()) {
            back.add(lease.leaseId(), Report.Refused.ofStoppingWorker(lease.fence()));
        }
        return back.flush();
    }

    private void interruptAll() {
        synchronized (threads) {
            threads.forEach(Thread::interrupt);
        }
    }
}
