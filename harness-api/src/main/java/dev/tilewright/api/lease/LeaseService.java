package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudyState;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Finds work for a device, study by study: a device that stays with one problem does not fill its buffers anew. */
@Service
public class LeaseService {

    private static final long RETRY_MS = 100;

    private final WorkerService workers;
    private final StudyRepository studies;
    private final StudyLeases studyLeases;
    private final StudyDriver driver;
    private final LeaseExpiry expiry;
    private final LeaseRepository leases;
    private final Refusals refusals;
    private final ServiceSettings settings;
    private final Clock clock;

    LeaseService(
            WorkerService workers,
            StudyRepository studies,
            StudyLeases studyLeases,
            StudyDriver driver,
            LeaseExpiry expiry,
            LeaseRepository leases,
            Refusals refusals,
            ServiceSettings settings,
            Clock clock) {
        this.workers = workers;
        this.studies = studies;
        this.studyLeases = studyLeases;
        this.driver = driver;
        this.expiry = expiry;
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
        for (StudyRow study : studies.open(device.testbedId())) {
            if (granted.size() == request.max()) {
                break;
            }
            boolean offered = !refused.contains(study.id()) && Refusals.fits(study, device, realGpuOffered);
            if (offered) {
                granted.addAll(from(study, device, request.max() - granted.size()));
            }
        }
        return new LeaseGrant(granted, granted.isEmpty() ? RETRY_MS : 0);
    }

    /**
     * What is queued of a study. Where that is less than the worker takes, its driver queues more, which the worker
     * finds when it asks again.
     */
    private List<Lease> from(StudyRow study, WorkerDevice device, int max) {
        if (study.state() != StudyState.RUNNING) {
            if (studyLeases.mayBegin(study.id(), device)) {
                driver.begin(study.id(), device);
            }
            return List.of();
        }
        boolean outOfTime = study.isOutOfTime(clock.instant());
        List<Lease> granted = outOfTime ? List.of() : studyLeases.takeQueued(study, device, max);
        if (granted.isEmpty() && expiry.takeBack(study.id())) {
            granted = studyLeases.takeQueued(study, device, max);
        }
        if (granted.size() < max) {
            driver.moved(study.id());
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
