package dev.tilewright.api.worker;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Knows the workers. One that was not heard for the life of a lease counts as gone. */
@Service
public class WorkerService {

    private static final String SHOW_IT = "send '" + WorkerRegistration.TOKEN_HEADER
            + ": <token>' with the token that the registration of the worker answered";

    private static final Duration FORGET = Duration.ofDays(30);

    private final WorkerRepository workers;
    private final ServiceSettings settings;
    private final Clock clock;

    WorkerService(WorkerRepository workers, ServiceSettings settings, Clock clock) {
        this.workers = workers;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Takes a registration; the same one again changes nothing.
     *
     * @param token the worker's own, if it is registered; {@code null} for none
     * @return the worker's own token
     * @throws ApiProblem 403 if the id is that of another worker
     */
    @Transactional
    public String register(WorkerRegistration worker, @Nullable String token) {
        List<Fault> faults = new ArrayList<>();
        Set<String> labels = new HashSet<>();
        for (int i = 0; i < worker.devices().size(); i++) {
            String label = worker.devices().get(i).label();
            if (!labels.add(label)) {
                faults.add(new Fault("/devices/" + i + "/label", "the worker offers '" + label + "' twice"));
            }
        }
        ApiProblem.requireNone(faults);
        String fresh = SecretFile.draw();
        String own = workers.save(worker, hash(token), Sha256.hex(fresh), clock.instant())
                .orElseThrow(() -> notYours(worker.workerId(), token));
        return own.equals(hash(token)) ? String.valueOf(token) : fresh;
    }

    /**
     * Notes that a worker is alive.
     *
     * @param token its own
     * @throws ApiProblem 404 if it is unknown, so that it registers again; 401 without a token, 403 with another's
     */
    public void seen(UUID workerId, @Nullable String token) {
        if (!workers.seen(workerId, hash(token), clock.instant())) {
            throw workers.exists(workerId) ? notYours(workerId, token) : ApiProblem.notFound("worker", workerId);
        }
    }

    /** Has all who hold leases count as heard now, and nobody as heard later; returns how many were changed. */
    public int renew(Instant now) {
        return workers.renew(now);
    }

    /**
     * The worker that shows this token.
     *
     * @throws ApiProblem 401 without a token, 404 if it is nobody's
     */
    public UUID identified(@Nullable String token) {
        if (token == null) {
            throw new ApiProblem(ProblemType.UNAUTHENTICATED, SHOW_IT);
        }
        return workers.identified(Sha256.hex(token))
                .orElseThrow(() -> new ApiProblem(
                        ProblemType.NOT_FOUND,
                        "there is no worker with the token in " + WorkerRegistration.TOKEN_HEADER));
    }

    private static @Nullable String hash(@Nullable String token) {
        return token == null ? null : Sha256.hex(token);
    }

    private static ApiProblem notYours(UUID workerId, @Nullable String token) {
        return token == null
                ? new ApiProblem(ProblemType.UNAUTHENTICATED, "worker " + workerId + " is registered: " + SHOW_IT)
                : new ApiProblem(
                        ProblemType.FORBIDDEN,
                        "the token in " + WorkerRegistration.TOKEN_HEADER + " is not that of worker " + workerId);
    }

    /** The device that a worker asks work for. */
    public WorkerDevice device(UUID workerId, String label) {
        return workers.device(workerId, label)
                .orElseThrow(
                        () -> ApiProblem.invalid("/device", "the worker has registered no device '" + label + "'"));
    }

    /** Devices of workers that are alive, with their workers. */
    public List<WorkerDevice> devices() {
        return devicesSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Devices of workers that were heard since then. */
    public List<WorkerDevice> devicesSince(Instant since) {
        return workers.devicesSince(since);
    }

    /** Devices of workers that are alive. */
    public List<DeviceOffer> offers() {
        return workers.offersSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Labels of the devices of workers that are alive, such as {@code cuda:0}, each once, in order. */
    public List<String> labels() {
        return workers.labelsSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** The testbeds of workers that are alive, each once. */
    public List<Testbed> testbeds() {
        return workers.testbedsSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Devices of workers that are alive and would take work for a device now, in the order of {@link #offers}. */
    public List<DeviceOffer> takers(DeviceSelector device) {
        List<DeviceOffer> offers = offers();
        boolean realGpuOffered = offers.stream().anyMatch(offer -> TestbedKind.CUDA.isOf(offer.testbed()));
        return offers.stream()
                .filter(offer -> device.accepts(offer.testbed().kind(), offer.label(), realGpuOffered))
                .toList();
    }

    /** Whether a live worker offers a real GPU. */
    public boolean realGpuOffered() {
        return realGpuOfferedSince(clock.instant().minus(settings.leaseTtl()));
    }

    /** Whether a worker that was heard since then offers one. */
    public boolean realGpuOfferedSince(Instant since) {
        return workers.offered(TestbedKind.CUDA, since);
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
