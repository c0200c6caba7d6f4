package dev.tilewright.api.lease;

import dev.tilewright.api.lease.WaitingRepository.Wanted;
import dev.tilewright.api.platform.MonotonicTime;
import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Ends work for which there is no device: no worker that was heard for so long has one that may take it. A service that
 * has just begun to listen waits that long itself, because it heard nobody before.
 */
@Service
class DeviceWait {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceWait.class);
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final WaitingRepository waiting;
    private final StudyRepository studies;
    private final StudyFlow flow;
    private final Refusals refusals;
    private final WorkerService workers;
    private final TransactionTemplate transactions;
    private final MonotonicTime time;
    private final Duration limit;
    private long listeningNs;
    private long lookedNs;

    DeviceWait(
            WaitingRepository waiting,
            StudyRepository studies,
            StudyFlow flow,
            Refusals refusals,
            WorkerService workers,
            TransactionTemplate transactions,
            MonotonicTime time,
            ServiceSettings settings) {
        this.waiting = waiting;
        this.studies = studies;
        this.flow = flow;
        this.refusals = refusals;
        this.workers = workers;
        this.transactions = transactions;
        this.time = time;
        this.limit = settings.deviceWait();
        this.listeningNs = time.nanos();
        this.lookedNs = listeningNs;
    }

    /** From now on it listens: what was not heard before counts for nobody. */
    synchronized void restart() {
        listeningNs = time.nanos();
    }

    private synchronized boolean isDue() {
        long now = time.nanos();
        if (now - listeningNs < limit.toNanos() || now - lookedNs < LOOK.toNanos()) {
            return false;
        }
        lookedNs = now;
        return true;
    }

    /** Ends what has waited too long; looks now and then, however often it is called. */
    void look(Instant now) {
        if (!isDue()) {
            return;
        }
        Instant since = now.minus(limit);
        List<WorkerDevice> devices = workers.devicesSince(since);
        boolean realGpu = workers.realGpuOfferedSince(since);
        for (Wanted wanted : waiting.studies(since)) {
            if (devices.stream().noneMatch(device -> refusals.mayTake(wanted, device, realGpu))) {
                String reason = reason(wanted, devices);
                waiting.studies(wanted, since).forEach(study -> end(study, wanted, reason));
            }
        }
        // A model takes none.
        Predicate<WorkerDevice> takesTasks = device -> device.testbed().kind() != TestbedKind.SIMULATED;
        for (Wanted wanted : waiting.tasks(since)) {
            if (devices.stream().filter(takesTasks).noneMatch(device -> refusals.mayTake(wanted, device, realGpu))) {
                int failed = waiting.failTasks(wanted, since, reason(wanted, devices), now);
                LOG.info("{} tasks for {} failed: {}", failed, wanted.selector(), reason(wanted, devices));
            }
        }
    }

    private void end(UUID id, Wanted wanted, String reason) {
        try {
            transactions.executeWithoutResult(status -> studies.lockIfFree(id)
                    .filter(study -> !study.state().isOver() && Objects.equals(study.testbedId(), wanted.testbedId()))
                    .ifPresent(study -> flow.end(study, reason(study, reason))));
        } catch (DataAccessException | TransactionException held) {
            LOG.warn("study {} waits for a device that nobody has, and is not ended: {}", id, held.getMessage());
        }
    }

    private String reason(StudyRow study, String nobody) {
        return study.testbed() == null
                ? nobody
                : nobody + "; it began on " + study.testbed().device() + ", driver "
                        + study.testbed().driver() + ", " + study.testbed().assembler();
    }

    private String reason(Wanted wanted, List<WorkerDevice> devices) {
        String there =
                devices.stream().map(WorkerDevice::label).distinct().sorted().collect(Collectors.joining(", "));
        return "no worker that was heard in the last " + text(limit) + " has a device for it: device "
                + wanted.selector()
                + (wanted.families().isEmpty() ? "" : ", family " + String.join(" and ", wanted.families()))
                + "; there "
                + (there.isEmpty() ? "was none at all" : "were " + there);
    }

    private static String text(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }
}
