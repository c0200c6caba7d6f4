package dev.tilewright.api.work;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.task.TaskRepository;
import dev.tilewright.api.testing.SettableClock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A service: it answers workers, and looks for silent ones. Each answer is one transaction. */
final class SimulatedReplica {

    private final SimulatedStorage storage;
    private final SettableClock clock;
    private final QueueRules rules;
    private final Attention attention;
    private final Leases leases;
    private final WorkQueue queue;
    private final SimulationRecord record;

    SimulatedReplica(
            SimulatedStorage storage,
            SettableClock clock,
            Faults faults,
            LeaseEndings endings,
            SimulationRecord record) {
        this.storage = storage;
        this.clock = clock;
        this.rules = faults.rules();
        this.attention = faults.attention(clock);
        this.record = record;
        this.leases = new Leases(storage.leases(), rules, endings, clock);
        this.queue = new WorkQueue(storage.leases(), List.of(storage.tasks()), rules, endings, clock);
    }

    /** The content of a report. */
    enum Said {
        DONE,
        UNABLE,
        STOPPING
    }

    /** Leases at most one task. */
    List<LeaseRow> lease(UUID worker, boolean again) {
        List<LeaseRow> granted = storage.inTransaction(() -> storage.next(worker, again)
                .map(task -> queue.grant(List.of(task), worker, "cuda:0"))
                .orElse(List.of()));
        granted.forEach(record::granted);
        return granted;
    }

    /** Answers which leases live. */
    Set<UUID> heartbeat(UUID worker, Collection<UUID> ids) {
        Set<UUID> live = storage.inTransaction(() -> leases.heard(worker, ids));
        live.forEach(record::heard);
        return live;
    }

    /** The database is away: a heartbeat came, and was not stored. */
    void heartbeatIsLost() {
        attention.lose();
    }

    /** Takes a report; false if the lease was lost. */
    boolean report(UUID task, UUID lease, long fence, UUID worker, Said said) {
        try {
            storage.inTransaction(() -> {
                storage.tasks().holdOwner(task);
                LeaseRow held = leases.hold(List.of(lease)).get(lease);
                if (leases.isOpen(held, fence)) {
                    take(held, worker, said, fence);
                }
                return true;
            });
            return true;
        } catch (ApiProblem lost) {
            return false;
        }
    }

    private void take(LeaseRow held, UUID worker, Said said, long fence) {
        UUID task = held.work().id();
        switch (said) {
            case DONE -> {
                leases.end(List.of(held), LeaseRow.Ending.REPORTED);
                storage.end(task, true);
                record.finished(held, fence);
            }
            case STOPPING -> queue.refuse(held);
            case UNABLE -> {
                queue.refuse(held);
                TaskRepository.RefusalCount count = storage.refused(task, worker);
                record.refused(held, worker);
                QueueRules.Refused verdict = rules.refused(count.times(), count.workers());
                if (verdict != QueueRules.Refused.BACK) {
                    storage.end(task, false);
                    record.endedByRefusals(task, verdict);
                }
            }
        }
    }

    void cancel(UUID task) {
        storage.inTransaction(() -> {
            storage.tasks().holdOwner(task);
            if (storage.state(task).state() != WorkState.State.OVER) {
                leases.cancel(task);
                storage.end(task, false);
                record.cancelled(task);
            }
            return true;
        });
    }

    /** Takes back what silent workers hold, or gives all leases their whole life where they may have spoken unheard. */
    void look() {
        if (!attention.isWhole()) {
            storage.inTransaction(leases::renew);
            record.renewed();
            attention.restore();
            return;
        }
        for (Map.Entry<UUID, WorkId.Type> overdue :
                queue.overdue(clock.instant()).entrySet()) {
            storage.inTransaction(() -> queue.takeBack(overdue.getKey(), overdue.getValue(), clock.instant()))
                    .forEach(record::silent);
        }
    }
}
