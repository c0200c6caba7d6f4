package dev.tilewright.api.work;

import dev.tilewright.api.work.LeaseRow.Ending;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Moves work of every kind between the queue and workers. Each method is called inside a transaction. */
@Service
public final class WorkQueue {

    private final WorkStore store;
    private final Map<WorkId.Type, WorkKind> kinds;
    private final QueueRules rules;
    private final LeaseEndings endings;
    private final Clock clock;

    public WorkQueue(WorkStore store, Collection<WorkKind> kinds, QueueRules rules, LeaseEndings endings, Clock clock) {
        this.store = store;
        this.kinds = new EnumMap<>(WorkId.Type.class);
        kinds.forEach(kind -> kind.types().forEach(type -> this.kinds.put(type, kind)));
        this.rules = rules;
        this.endings = endings;
        this.clock = clock;
    }

    /** Leases queued work of one type, which the caller holds, to a device; in its order. */
    public List<LeaseRow> grant(List<WorkState> queued, UUID worker, String device) {
        if (queued.isEmpty()) {
            return List.of();
        }
        List<QueueRules.Grant> grants = queued.stream()
                .map(work -> rules.grant(work, UUID.randomUUID(), worker, device, clock.instant()))
                .toList();
        List<LeaseRow> leases = grants.stream().map(QueueRules.Grant::lease).toList();
        store.writeStates(grants.stream().map(QueueRules.Grant::work).toList());
        store.add(leases);
        return leases;
    }

    /** A worker gives leased work back, which the caller holds: the lease ends, and was no attempt. */
    public void refuse(LeaseRow live) {
        LeaseRow ended = live.ended(Ending.REFUSED, clock.instant());
        store.write(List.of(ended));
        back(ended);
        endings.count(Ending.REFUSED, 1);
    }

    /** Owners of leases whose workers were not heard in time, with the type of their work. */
    public Map<UUID, WorkId.Type> overdue(Instant now) {
        return store.overdue(now);
    }

    /**
     * Takes work of one owner back from workers that were not heard in time: to the queue, or up if it has cost too
     * many workers. Returns the leases that ended by it.
     */
    public List<LeaseRow> takeBack(UUID owner, WorkId.Type type, Instant now) {
        if (!kinds.get(type).holdOwner(owner)) {
            return List.of();
        }
        List<LeaseRow> ended = store.holdLive(owner).stream()
                .flatMap(lease -> rules.silent(lease, now).stream())
                // A final that is given up ends its study, and the work that is back in the queue with it.
                .sorted(Comparator.comparing(lease -> lease.work().type()))
                .toList();
        store.write(ended);
        ended.forEach(this::takeBack);
        return ended;
    }

    private void takeBack(LeaseRow silent) {
        if (silent.ending() == Ending.EXPIRED && rules.isHopeless(store.lost(silent.work()))) {
            kinds.get(silent.work().type())
                    .giveUp(silent, QueueRules.MOST_LOST + " workers were lost while they held this");
        } else {
            back(silent);
        }
        endings.count(silent.ending(), 1);
    }

    private void back(LeaseRow ended) {
        store.writeStates(List.of(rules.back(store.state(ended.work()), ended.ending())));
    }
}
