package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudyState;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Finds work for a device, study by study: a device that stays with one problem does not fill its buffers anew. */
@Service
public class LeaseService {

    private static final long RETRY_MS = 250;

    /**
     * What is granted begins to expire at once: it is not held back longer while further studies are asked, whose first
     * question takes seconds.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final WorkerService workers;
    private final StudyRepository studies;
    private final StudyLeases studyLeases;
    private final LeaseRepository leases;
    private final Refusals refusals;
    private final ServiceSettings settings;
    private final Clock clock;

    LeaseService(
            WorkerService workers,
            StudyRepository studies,
            StudyLeases studyLeases,
            LeaseRepository leases,
            Refusals refusals,
            ServiceSettings settings,
            Clock clock) {
        this.workers = workers;
        this.studies = studies;
        this.studyLeases = studyLeases;
        this.leases = leases;
        this.refusals = refusals;
        this.settings = settings;
        this.clock = clock;
    }

    /** Leases at most as much as the worker asks for. */
    public LeaseGrant lease(LeaseRequest request) {
        workers.seen(request.workerId());
        WorkerDevice device = workers.device(request.workerId(), request.device());
        boolean realGpuOffered = workers.realGpuOffered();
        Set<UUID> refused = refusals.of(request.workerId());
        List<Lease> granted = new ArrayList<>();
        Instant enough = clock.instant().plus(PATIENCE);
        for (StudyRow study : studies.open(device.testbedId())) {
            if (!granted.isEmpty() && clock.instant().isAfter(enough)) {
                break;
            }
            boolean offered = !refused.contains(study.id()) && Refusals.fits(study, device, realGpuOffered);
            if (offered && granted.size() < request.max()) {
                granted.addAll(from(study, device, request.max() - granted.size()));
            }
        }
        return new LeaseGrant(granted, granted.isEmpty() ? RETRY_MS : 0);
    }

    private List<Lease> from(StudyRow study, WorkerDevice device, int max) {
        List<Lease> granted = new ArrayList<>();
        if (study.state() == StudyState.RUNNING) {
            granted.addAll(studyLeases.takeQueued(study, device, max));
        } else {
            studyLeases.begin(study.id(), device);
        }
        if (granted.size() < max) {
            granted.addAll(studyLeases.moveOnAndTake(study.id(), device, max - granted.size()));
        }
        return granted;
    }

    /** Lets leases live on; answers which of them the worker should drop. */
    public Heartbeat.Reply heartbeat(Heartbeat heartbeat) {
        workers.seen(heartbeat.workerId());
        Set<UUID> live = leases.extend(
                heartbeat.workerId(), heartbeat.leases(), clock.instant().plus(settings.leaseTtl()));
        return new Heartbeat.Reply(heartbeat.leases().stream()
                .filter(lease -> !live.contains(lease))
                .toList());
    }
}
