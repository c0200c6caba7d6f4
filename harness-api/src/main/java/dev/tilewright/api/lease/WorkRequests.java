package dev.tilewright.api.lease;

import dev.tilewright.api.platform.database.Subscription;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Answers devices that ask for work. A request that finds none waits for work on its virtual thread, without a
 * connection, and is then answered with nothing: the worker asks again at once. So work is leased only to requests that
 * have just come, and never to a worker that died while it waited.
 */
@Service
record WorkRequests(WorkerService workers, LeaseService leases, IdleDevices idle, LeaseMeters meters) {

    /** The longest wait where work is open for the device. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /**
     * Leases at most as much as the worker asks for.
     *
     * @param token the worker's own
     */
    LeaseGrant answer(LeaseRequest request, @Nullable String token) throws InterruptedException {
        workers.seen(request.workerId(), token);
        Duration wait = Duration.ofMillis(request.waitMs());
        Optional<Subscription> known =
                wait.isZero() ? Optional.empty() : idle.waiting(request.workerId(), request.device());
        if (known.isPresent()) {
            known.get().await(wait);
            return new LeaseGrant(List.of());
        }
        WorkerDevice device = workers.device(request.workerId(), request.device());
        Subscription work = idle.subscribe(device);
        boolean remembered = false;
        try {
            LeaseService.Found found = meters.answered(() -> leases.lease(device, request.max()));
            if (!found.leases().isEmpty() || wait.isZero()) {
                return new LeaseGrant(found.leases());
            }
            if (found.soon()) {
                work.await(wait.compareTo(SHORT) < 0 ? wait : SHORT);
            } else {
                remembered = true;
                idle.foundNothing(device, work);
                work.await(wait);
            }
            return new LeaseGrant(List.of());
        } finally {
            if (!remembered) {
                idle.cancel(work);
            }
        }
    }
}
