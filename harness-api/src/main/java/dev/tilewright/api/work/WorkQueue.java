package dev.tilewright.api.work;

import dev.tilewright.api.work.LeaseRow.Ending;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
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
        this.kinds = kinds.stream().collect(Collectors.toMap(WorkKind::type, Function.identity()));
        this.rules = rules;
        this.endings = endings;
        this.clock = clock;
    }

    /** Leases queued work of one type, which the caller holds, to a device; in its order. */
    public List<LeaseRow> grant(List<Standing> queued, UUID worker, String device) {
        if (queued.isEmpty()) {
            return List.of();
        }
        List<QueueRules.Grant> grants = queued.stream()
                .map(work -> rules.grant(work, UUID.randomUUID(), worker, device, clock.instant()))
                .toList();
        List<LeaseRow> leases = grants.stream().map(QueueRules.Grant::lease).toList();
        store.stand(grants.stream().map(QueueRules.Grant::work).toList());
        store.add(leases);
        return leases;
    }

    /** A worker gives leased work back, which the caller holds: the lease ends, and was no attempt. */
    public void refuse(LeaseRow live) {
        LeaseRow ended = rules.ended(live, Ending.REFUSED, clock.instant());
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
        List<LeaseRow> ended = new ArrayList<>();
        if (kinds.get(type).holdOwner(owner)) {
            for (LeaseRow lease : store.holdLive(owner)) {
                rules.silent(lease, now).filter(silent -> isStillLive(lease)).ifPresent(silent -> {
                    store.write(List.of(silent));
                    ended.add(silent);
                    takeBack(silent);
                });
            }
        }
        return ended;
    }

    /** Work that was given up may have ended what else its owner has. */
    private boolean isStillLive(LeaseRow lease) {
        return Optional.ofNullable(store.hold(List.of(lease.id())).get(lease.id()))
                .filter(LeaseRow::isLive)
                .isPresent();
    }

    private void takeBack(LeaseRow silent) {
        Ending how = silent.ending() == Ending.EXPIRED ? Ending.EXPIRED : Ending.UNDELIVERED;
        if (how == Ending.EXPIRED && rules.isHopeless(store.lost(silent.work()))) {
            kinds.get(silent.work().type())
                    .giveUp(silent, QueueRules.MOST_LOST + " workers were lost while they held this");
        } else {
            back(silent);
        }
        endings.count(how, 1);
    }

    private void back(LeaseRow ended) {
        store.stand(List.of(rules.back(store.standing(ended.work()), ended.ending())));
    }
}
