package dev.tilewright.api.work;

import dev.tilewright.api.work.SimulatedReplica.Said;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A worker of one device: it asks, names its leases in heartbeats, runs those that a heartbeat confirmed, and reports.
 */
final class SimulatedWorker {

    private static final int MOST = 2;
    private static final long HEARTBEAT_NS = Duration.ofSeconds(3).toNanos();

    private final QueueSimulation world;
    private final UUID id;
    private final Map<UUID, Held> held = new LinkedHashMap<>();
    private long heartbeatNs;

    private static final class Held {
        private final LeaseRow lease;
        private long doneNs = Long.MAX_VALUE;
        private Said said = Said.DONE;

        private Held(LeaseRow lease) {
            this.lease = lease;
        }
    }

    SimulatedWorker(QueueSimulation world, UUID id) {
        this.world = world;
        this.id = id;
        this.heartbeatNs = world.nanos() - HEARTBEAT_NS;
    }

    /** Sends all that is due: a heartbeat, reports of tasks that are done, a request for more. */
    void act() {
        if (!held.isEmpty() && world.nanos() - heartbeatNs >= HEARTBEAT_NS) {
            heartbeatNs = world.nanos();
            Collection<UUID> named = List.copyOf(held.keySet());
            world.send(this, "heartbeat of " + id, true, replica -> {
                Set<UUID> live = replica.heartbeat(id, named);
                return () -> named.forEach(lease -> confirm(lease, live.contains(lease)));
            });
        }
        for (Held each : List.copyOf(held.values())) {
            if (each.doneNs <= world.nanos()) {
                report(each);
            }
        }
        if (held.size() < MOST) {
            boolean again = world.either();
            world.send(this, id + " asks", false, replica -> {
                List<LeaseRow> granted = replica.lease(id, again);
                return () -> granted.forEach(lease -> held.putIfAbsent(lease.id(), new Held(lease)));
            });
        }
    }

    private void confirm(UUID lease, boolean lives) {
        Held one = held.get(lease);
        if (one == null) {
            return;
        }
        if (!lives) {
            held.remove(lease);
        } else if (one.doneNs == Long.MAX_VALUE) {
            one.doneNs = world.nanos() + world.runNs();
            one.said = world.said();
        }
    }

    /** Sent again until a receipt comes. */
    private void report(Held one) {
        LeaseRow lease = one.lease;
        long fence = world.fence(lease.fence());
        world.send(this, id + " reports " + lease.work().id() + " " + one.said, false, replica -> {
            boolean taken = replica.report(lease.work().id(), lease.id(), fence, id, one.said);
            return () -> {
                if (taken || fence == lease.fence()) {
                    held.remove(lease.id());
                }
            };
        });
    }
}
