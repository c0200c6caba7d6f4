package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.exchange.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** The leases that this worker holds, from the grant to the accepted report. */
final class LiveLeases {

    private static final Duration IDLE_HEARTBEAT = Duration.ofSeconds(5);

    private final Map<UUID, Lease> leases = new ConcurrentHashMap<>();
    private final Map<UUID, Runnable> watched = new ConcurrentHashMap<>();
    private final Set<UUID> raced = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<UUID> untold = new LinkedBlockingQueue<>();

    void add(Lease lease) {
        leases.put(lease.leaseId(), lease);
    }

    /** Forgets a lease that was reported or given back. */
    void drop(UUID lease) {
        leases.remove(lease);
        raced.remove(lease);
    }

    /** Forgets leases that are no longer ours, and tells whoever works on one of them. */
    void lose(Collection<UUID> lost) {
        for (UUID lease : lost) {
            drop(lease);
            watched.computeIfPresent(lease, (_, told) -> {
                told.run();
                return null;
            });
        }
    }

    /**
     * Calls if the lease is lost from now on, until the watch is closed; after that it does not. Who watches looks only
     * then whether the lease is held at all.
     *
     * @param lost returns at once
     */
    Watch watch(UUID lease, Runnable lost) {
        watched.put(lease, lost);
        return () -> watched.remove(lease);
    }

    /** Lasts as long as the work on a lease does. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    boolean holds(UUID lease) {
        return leases.containsKey(lease);
    }

    /** The race of a final is over. */
    void raced(UUID lease) {
        if (holds(lease) && raced.add(lease)) {
            untold.add(lease);
        }
    }

    /** Trials with a live lease whose race is over. */
    List<UUID> raced() {
        return raced.stream().filter(leases::containsKey).toList();
    }

    /** Waits until another race is over. */
    void awaitRace() throws InterruptedException {
        untold.take();
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
