package dev.tilewright.api.work;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.work.LeaseRow.Ending;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Extends, renews and ends live leases; the state of work is not changed here. */
@Service
public final class Leases {

    private final WorkStore store;
    private final QueueRules rules;
    private final LeaseEndings endings;
    private final Clock clock;

    public Leases(WorkStore store, QueueRules rules, LeaseEndings endings, Clock clock) {
        this.store = store;
        this.rules = rules;
        this.endings = endings;
        this.clock = clock;
    }

    /**
     * Lets a worker's own live leases live on; returns those. One that somebody holds at this moment, such as the
     * report that ends it, is not waited for: should it live on, the next heartbeat extends it.
     */
    public Set<UUID> heard(UUID worker, Collection<UUID> ids) {
        if (ids.isEmpty()) {
            return Set.of();
        }
        WorkStore.Heard heard = store.heard(worker, ids);
        store.write(heard.held().stream()
                .map(lease -> rules.heard(lease, clock.instant()))
                .toList());
        return heard.live();
    }

    /** Gives all leases their whole life from now on; returns how many. One that somebody holds is being heard of. */
    public int renew() {
        List<LeaseRow> live = store.holdFree();
        store.write(live.stream()
                .map(lease -> rules.renewed(lease, clock.instant()))
                .toList());
        return live.size();
    }

    /** Holds leases until the transaction ends, and reads them; the caller holds their owners. */
    public Map<UUID, LeaseRow> hold(Collection<UUID> ids) {
        return store.hold(ids);
    }

    /**
     * Whether a report for a lease, which the caller holds, has something to do: not if it was taken before, or nobody
     * wants it any more.
     *
     * @throws ApiProblem if the lease was lost
     */
    public boolean isOpen(LeaseRow lease, long fence) {
        return switch (rules.answer(lease, fence)) {
            case TAKE -> true;
            case KNOWN -> false;
            case OTHER_FENCE ->
                throw new ApiProblem(
                        ProblemType.STALE_LEASE,
                        "the fence of lease " + lease.id() + " is " + lease.fence() + ", not " + fence);
            case LOST ->
                throw new ApiProblem(
                        ProblemType.STALE_LEASE, "lease " + lease.id() + " expired: its work went back to the queue");
        };
    }

    /** Ends live leases, which the caller holds. */
    public void end(Collection<LeaseRow> live, Ending how) {
        store.write(
                live.stream().map(lease -> lease.ended(how, clock.instant())).toList());
        endings.count(how, live.size());
    }

    /** Ends all leases of an owner, which the caller holds: workers are told by their next heartbeat. */
    public void cancel(UUID owner) {
        end(store.holdLive(owner), Ending.CANCELLED);
    }
}
