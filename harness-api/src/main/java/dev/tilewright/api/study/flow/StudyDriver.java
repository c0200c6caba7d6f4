package dev.tilewright.api.study.flow;

import dev.tilewright.api.platform.database.BackgroundLoop;
import dev.tilewright.api.platform.database.ConnectionPool;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.exchange.StudyState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Moves studies on, beside all requests: each report, lease and cancel says that a study has moved. A study that needs
 * no step is not claimed. A driver claims any other, takes a snapshot, lets the search think while it holds neither a
 * connection nor a lock, and writes what came of it in one short transaction, if the study is still its own and still
 * running.
 *
 * <p>Any number of replicas drive; each study has one driver at a time. A claim lives {@link #CLAIM_LIFE} and is
 * renewed for as long as its driver thinks, so that the study of a dead one is taken over soon. A wake-up that is lost
 * is harmless: every replica looks for idle studies at each {@link #LOOK} while any study runs.
 */
@Service
public class StudyDriver extends BackgroundLoop {

    private static final Logger LOG = LoggerFactory.getLogger(StudyDriver.class);

    private static final Duration CLAIM_LIFE = Duration.ofSeconds(8);
    private static final Duration LOOK = Duration.ofSeconds(2);

    /** The next action of this replica on a study. */
    private enum Driving {
        ONCE,
        /** Something moved while it was driven. */
        AGAIN
    }

    private final StudyRepository studies;
    private final ClaimRepository claims;
    private final StudyStart start;
    private final StudySnapshots snapshots;
    private final Decision decision;
    private final StudyFlow flow;
    private final Asks asks;
    private final Foresight foresight;
    private final TransactionTemplate transactions;
    private final FatalErrors fatal;

    private final UUID self = UUID.randomUUID();
    private final Map<UUID, Driving> driven = new ConcurrentHashMap<>();
    private final Map<UUID, WorkerDevice> starting = new ConcurrentHashMap<>();
    private final ExecutorService drivers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("drive-", 0).factory());

    StudyDriver(
            StudyRepository studies,
            ClaimRepository claims,
            StudyStart start,
            StudySnapshots snapshots,
            Decision decision,
            StudyFlow flow,
            Asks asks,
            Foresight foresight,
            TransactionTemplate transactions,
            Notifications notifications,
            FatalErrors fatal) {
        super(fatal, notifications, "study-driver", "studies", LOOK, true);
        this.studies = studies;
        this.claims = claims;
        this.start = start;
        this.snapshots = snapshots;
        this.decision = decision;
        this.flow = flow;
        this.asks = asks;
        this.foresight = foresight;
        this.transactions = transactions;
        this.fatal = fatal;
    }

    /** A device would work on a queued study: binds it to the device, unless another one was faster. */
    public void begin(UUID studyId, WorkerDevice device) {
        starting.putIfAbsent(studyId, device);
        moved(studyId);
    }

    /** Something of a study has moved: a report came, a worker found too little to do, time went by. */
    public void moved(UUID studyId) {
        if (isRunning() && driven.merge(studyId, Driving.ONCE, (before, more) -> Driving.AGAIN) == Driving.ONCE) {
            boolean begun = false;
            try {
                drivers.execute(() -> ConnectionPool.STUDIES.run(() -> drive(studyId)));
                begun = true;
            } finally {
                if (!begun) {
                    driven.remove(studyId);
                }
            }
        }
    }

    /** Drives until nothing has moved meanwhile; whatever ends it, the study is not driven afterwards. */
    private void drive(UUID studyId) {
        boolean done = false;
        try (var _ = MDC.putCloseable("study", studyId.toString())) {
            do {
                driven.put(studyId, Driving.ONCE);
                driveOnce(studyId);
            } while (!driven.remove(studyId, Driving.ONCE));
            done = true;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            if (!done) {
                driven.remove(studyId);
            }
            MDC.remove("job");
        }
    }

    private void driveOnce(UUID studyId) throws InterruptedException {
        try {
            step(studyId);
        } catch (DataAccessException | TransactionException away) {
            LOG.warn("study {} waits for the database: {}", studyId, away.getMessage());
        } catch (InterruptedException stopping) {
            throw stopping;
        } catch (Throwable bug) {
            fatal.haltAfter(bug, "the driver of study " + studyId);
            if (Thread.currentThread().isInterrupted()) {
                // The service stops: what failed by that is no fault of the study, and the next service takes it up.
                LOG.info("study {} is left as it is, the service stops: {}", studyId, bug.toString());
                throw new InterruptedException();
            }
            LOG.error("study {} could not be moved on", studyId, bug);
            end(studyId, "the service failed to move the study on: " + bug);
        }
    }

    private void step(UUID studyId) throws InterruptedException {
        asks.takePermit();
        try {
            stepWithPermit(studyId);
        } finally {
            asks.returnPermit();
        }
    }

    private void stepWithPermit(UUID studyId) throws InterruptedException {
        if (needsNoStep(studyId)) {
            starting.remove(studyId);
            return;
        }
        if (!claims.take(studyId, self, CLAIM_LIFE)) {
            starting.remove(studyId);
            return;
        }
        try {
            StudyRow study = studies.find(studyId).orElseThrow();
            MDC.put("job", study.jobId().toString());
            if (study.state() == StudyState.QUEUED) {
                begin(study);
                study = studies.find(studyId).orElseThrow();
            }
            // Ends by itself: each round queues, which leaves less room, or ends the search or the study.
            while (study.state() == StudyState.RUNNING && advance(study)) {
                study = studies.find(studyId).orElseThrow();
            }
        } finally {
            claims.giveUp(studyId, self);
        }
    }

    /**
     * Whether a study runs and needs no step, asked without a claim: most reports leave workers enough to go on with,
     * and a claim is two writes to the disk. A fault is that of the study only if this replica drives it.
     */
    private boolean needsNoStep(UUID studyId) {
        try {
            return studies.find(studyId)
                    .filter(study -> study.state() == StudyState.RUNNING)
                    .filter(snapshots::needsNoStep)
                    .isPresent();
        } catch (DataAccessException | TransactionException away) {
            throw away;
        } catch (RuntimeException bug) {
            LOG.debug("study {} could not be looked at without a claim", studyId, bug);
            return false;
        }
    }

    private void begin(StudyRow study) throws InterruptedException {
        WorkerDevice device = starting.remove(study.id());
        if (device == null) {
            return;
        }
        Preparation.Prepared prepared = start.prepare(study, device);
        ifStill(study.id(), StudyState.QUEUED, now -> start.on(now, prepared));
        foresight.look();
    }

    /** Decides on a step and writes it; true if there may be another one at once. */
    private boolean advance(StudyRow study) throws InterruptedException {
        long start = System.nanoTime();
        Step step = decision.of(snapshots.of(study));
        long decided = System.nanoTime();
        boolean more = apply(study, step);
        LOG.debug(
                "study {}: {} after {} ms, written in {} ms",
                study.id(),
                step.name(),
                (decided - start) / 1_000_000,
                (System.nanoTime() - decided) / 1_000_000);
        return more;
    }

    /** Writes a step; true if there may be another one at once. */
    private boolean apply(StudyRow study, Step step) {
        BooleanSupplier write = switch (step) {
            case Step.Wait _ -> () -> false;
            case Step.Queue queue ->
                () -> ifStill(study.id(), StudyState.RUNNING, now -> {
                            flow.queue(now, queue.configs(), queue.asked());
                            if (queue.last()) {
                                flow.exhaust(now);
                            }
                        })
                        && queue.last();
            case Step.Stop stop -> () -> ifStill(study.id(), StudyState.RUNNING, now -> flow.stop(now, stop.why()));
            case Step.Race race ->
                () -> {
                    ifStill(study.id(), StudyState.RUNNING, now -> flow.race(now, race.contenders(), race.asked()));
                    return false;
                };
            case Step.End _ ->
                () -> {
                    ifStill(study.id(), StudyState.RUNNING, now -> flow.end(now, null));
                    return false;
                };
            case Step.Fail fail ->
                () -> {
                    ifStill(study.id(), StudyState.RUNNING, now -> flow.end(now, fail.error()));
                    return false;
                };
        };
        return write.getAsBoolean();
    }

    /** Does something in a transaction that holds the study, unless it has another state or driver by now. */
    private boolean ifStill(UUID studyId, StudyState state, Consumer<StudyRow> write) {
        Boolean done = transactions.execute(status -> {
            StudyRow now = studies.lock(studyId).orElseThrow();
            boolean still = now.state() == state && claims.holds(studyId, self);
            if (still) {
                write.accept(now);
            }
            return still;
        });
        return Boolean.TRUE.equals(done);
    }

    private void end(UUID studyId, String error) {
        try {
            transactions.executeWithoutResult(status -> {
                studies.lock(studyId).filter(now -> !now.state().isOver()).ifPresent(now -> flow.end(now, error));
            });
        } catch (RuntimeException hopeless) {
            LOG.error("study {} could not be ended", studyId, hopeless);
        }
    }

    @Override
    protected boolean look() {
        // A copy: drivers end meanwhile.
        Set<UUID> now = Set.copyOf(driven.keySet());
        if (!now.isEmpty()) {
            claims.renew(now, self, CLAIM_LIFE);
        }
        List<ClaimRepository.Running> running = claims.running();
        running.stream().filter(ClaimRepository.Running::idle).forEach(study -> moved(study.id()));
        return !running.isEmpty();
    }

    @Override
    protected boolean isUrgent() {
        return !driven.isEmpty();
    }

    /** Whether nothing is driven, nor looked at ahead, at this moment by this replica. */
    public boolean isQuiet() {
        return driven.isEmpty() && foresight.isQuiet();
    }

    @Override
    public void start() {
        LOG.info("this process drives studies as {}", self);
        super.start();
    }

    @Override
    public void stop() {
        super.stop();
        drivers.shutdownNow();
    }
}
