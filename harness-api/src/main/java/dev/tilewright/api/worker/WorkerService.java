package dev.tilewright.api.worker;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Knows the workers. One that was not heard for the life of a lease counts as gone. */
@Service
public class WorkerService {

    private static final Duration FORGET = Duration.ofDays(30);

    private final WorkerRepository workers;
    private final ServiceSettings settings;
    private final Clock clock;

    WorkerService(WorkerRepository workers, ServiceSettings settings, Clock clock) {
        this.workers = workers;
        this.settings = settings;
        this.clock = clock;
    }

    /** Takes a registration; the same one again changes nothing. */
    @Transactional
    public void register(WorkerRegistration worker) {
        List<Fault> faults = new ArrayList<>();
        Set<String> labels = new HashSet<>();
        for (int i = 0; i < worker.devices().size(); i++) {
            String label = worker.devices().get(i).label();
            if (!labels.add(label)) {
                faults.add(new Fault("/devices/" + i + "/label", "the worker offers '" + label + "' twice"));
            }
        }
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        workers.save(worker, clock.instant());
    }

    /**
     * Notes that a worker is alive.
     *
     * @throws ApiProblem 404 if it is unknown, so that it registers again
     */
    public void seen(UUID workerId) {
        if (!workers.seen(workerId, clock.instant())) {
            throw ApiProblem.notFound("worker", workerId);
        }
    }

    /** The device that a worker asks work for. */
    public WorkerDevice device(UUID workerId, String label) {
        return workers.device(workerId, label)
                .orElseThrow(
                        () -> ApiProblem.invalid("/device", "the worker has registered no device '" + label + "'"));
    }

    /** Devices of workers that are alive, with their workers. */
    public List<WorkerDevice> devices() {
        return workers.devicesSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Devices of workers that are alive. */
    public List<DeviceOffer> offers() {
        return workers.offersSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Whether a live worker offers a real GPU. */
    public boolean realGpuOffered() {
        return offers().stream().anyMatch(offer -> offer.testbed().kind() == TestbedKind.CUDA);
    }

    /** How many workers are alive. */
    public int alive() {
        return workers.countSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Forgets workers that were gone for a month. */
    public int forget() {
        return workers.forgetBefore(clock.instant().minus(FORGET));
    }
}
