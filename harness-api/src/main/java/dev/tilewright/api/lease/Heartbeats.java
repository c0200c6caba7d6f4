package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Heartbeat;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/** Takes what workers say of the leases that they work on. */
@Service
record Heartbeats(
        WorkerService workers,
        LeaseRepository leases,
        TaskLeases tasks,
        RaceEnds races,
        Attention attention,
        ServiceSettings settings,
        Clock clock) {

    /**
     * Lets leases live on; answers which of them the worker should drop.
     *
     * @param token the worker's own
     */
    Heartbeat.Reply take(Heartbeat heartbeat, @Nullable String token) {
        try {
            workers.seen(heartbeat.workerId(), token);
            Instant expiresAt = clock.instant().plus(settings.leaseTtl());
            Set<UUID> live = leases.extend(heartbeat.workerId(), heartbeat.leases(), expiresAt);
            if (!heartbeat.raced().isEmpty()) {
                races.note(heartbeat.workerId(), heartbeat.raced());
            }
            List<UUID> others = without(heartbeat.leases(), live);
            return new Heartbeat.Reply(
                    without(others, Set.copyOf(tasks.extend(heartbeat.workerId(), others, expiresAt))));
        } catch (DataAccessException | TransactionException unnoted) {
            attention.lose();
            throw unnoted;
        }
    }

    private static List<UUID> without(List<UUID> leases, Set<UUID> some) {
        return leases.stream().filter(lease -> !some.contains(lease)).toList();
    }
}
