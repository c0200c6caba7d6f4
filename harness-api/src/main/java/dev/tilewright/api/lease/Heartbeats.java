package dev.tilewright.api.lease;

import dev.tilewright.api.work.Attention;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Heartbeat;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes what workers say of the leases that they work on. */
@Service
record Heartbeats(
        WorkerService workers, Leases leases, RaceEnds races, Attention attention, TransactionTemplate transactions) {

    /**
     * Lets leases live on; answers which of them the worker should drop.
     *
     * @param token the worker's own
     */
    Heartbeat.Reply take(Heartbeat heartbeat, @Nullable String token) {
        try {
            workers.seen(heartbeat.workerId(), token);
            Set<UUID> live = Objects.requireNonNull(
                    transactions.execute(status -> leases.heard(heartbeat.workerId(), heartbeat.leases())));
            if (!heartbeat.raced().isEmpty()) {
                races.note(heartbeat.workerId(), heartbeat.raced());
            }
            return new Heartbeat.Reply(heartbeat.leases().stream()
                    .filter(lease -> !live.contains(lease))
                    .toList());
        } catch (DataAccessException | TransactionException unnoted) {
            attention.lose();
            throw unnoted;
        }
    }
}
