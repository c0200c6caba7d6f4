package dev.tilewright.worker.lease;

import dev.tilewright.model.exchange.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that this worker holds, from the grant to the accepted report. */
final class LiveLeases {

    private static final Duration IDLE_HEARTBEAT = Duration.ofSeconds(5);

    private final Map<UUID, Lease> leases = new ConcurrentHashMap<>();

    void add(Lease lease) {
        leases.put(lease.leaseId(), lease);
    }

    /** Forgets a lease: reported, or no longer ours. */
    void drop(UUID lease) {
        leases.remove(lease);
    }

    void dropAll(Collection<UUID> lost) {
        lost.forEach(leases::remove);
    }

    boolean holds(UUID lease) {
        return leases.containsKey(lease);
    }

    List<UUID> ids() {
        return List.copyOf(leases.keySet());
    }

    List<Lease> all() {
        return List.copyOf(leases.values());
    }

    /** A third of the shortest life of a lease, so that two heartbeats may be lost. */
    Duration heartbeatPeriod() {
        return leases.values().stream().mapToLong(Lease::ttlMs).min().stream()
                .mapToObj(ttlMs -> Duration.ofMillis(Math.max(1, ttlMs / 3)))
                .findFirst()
                .filter(period -> period.compareTo(IDLE_HEARTBEAT) < 0)
                .orElse(IDLE_HEARTBEAT);
    }
}
