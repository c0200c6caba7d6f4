package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order through an mbarrier: a thread that observes the end of a phase acquires what the arrivals of the phase
 * release. The copies counted on the barrier are an agent whose epochs are the phases, so a thread that acquired a
 * phase comes behind its copies. Waiters belong to the barrier's own CTA. Arrivals may come from other CTAs; then both
 * scopes must reach the cluster.
 */
public final class PhaseOrder {
    /** The order that is passed on, by the scope of the arrivals. */
    private static final class Handed {
        /** By the own CTA, and by copies. */
        private HappenedBefore near = HappenedBefore.START;
        /** By other CTAs, at cluster scope. */
        private HappenedBefore far = HappenedBefore.START;
        /** By other CTAs at CTA scope: no order, but what was waited for before is over. */
        private HappenedBefore narrow = HappenedBefore.START;

        private final List<Missed> missed = new ArrayList<>();
        private final Visits visits;

        private Handed(int cta) {
            visits = new Visits(cta);
        }
    }

    private final Order order;
    private final Agent copies;
    private @Nullable Agent remoteStores;
    private @Nullable Access init;
    private int initLane;
    private HappenedBefore near = HappenedBefore.START;
    private HappenedBefore far = HappenedBefore.START;
    private HappenedBefore narrow = HappenedBefore.START;
    private List<Missed> missed = List.of();
    private Handed coming;
    /** Arrivals in phases that ended and that nobody has seen ended. */
    private final Visits unseen;

    /**
     * The order of a barrier just made by whoever acts.
     *
     * @param name of the barrier, for people
     */
    public PhaseOrder(Order order, int cluster, int cta, String name) {
        this.order = order;
        copies = order.agent(Agent.Kind.COPIES, cluster, cta, name + " of CTA " + cta);
        coming = new Handed(cta);
        unseen = new Visits(cta);
        Actor actor = order.acting();
        if (actor != null) {
            init = actor.order().initAccess(actor.lane(), actor.access().evidence);
            initLane = actor.lane();
        }
    }

    /** The actor uses the barrier: requires that its init came before. */
    public void requireInit() {
        Actor actor = order.acting();
        Access made = init;
        if (actor != null && made != null && !actor.order().sees(made, initLane, actor.lane())) {
            Races.report(actor, made, initLane, actor.access(), copies::name);
        }
    }

    /**
     * The actor uses the barrier, and no fence came behind its init.
     *
     * @param fromCta of the actor: from another CTA the init is there if they have met since
     */
    public void initNotFenced(int fromCta, Hazard hazard) {
        Actor actor = order.acting();
        Access made = init;
        boolean there = fromCta != copies.cta()
                && actor != null
                && made != null
                && actor.order().sees(made, initLane, actor.lane());
        if (!there) {
            throw new HazardFound(hazard);
        }
        order.findings()
                .report(
                        Rule.INIT_UNFENCED,
                        actor.access().evidence.statement(),
                        () -> new HazardFound(hazard, actor.access().site(actor.lane())));
    }

    /**
     * A copy, or a store of some CTA, that will be counted in a phase.
     *
     * @param phase in which it counts
     * @param from the CTA that issued a store; the own one for copies
     */
    public Access copy(int phase, int from, Manner manner, Evidence evidence) {
        return new Access(from == copies.cta() ? copies : remoteStores(), phase + 1, manner, evidence);
    }

    private Agent remoteStores() {
        Agent known = remoteStores;
        if (known == null) {
            known = order.agent(Agent.Kind.REMOTE_STORES, copies.cluster(), copies.cta(), copies.name());
            remoteStores = known;
        }
        return known;
    }

    /** The actor arrives. */
    public void arrive() {
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        coming.visits.note(actor);
        WarpOrder warp = actor.order();
        Manner manner = actor.access().manner;
        int lane = actor.lane();
        if (manner.releases()) {
            hand(actor, warp.release(1 << lane), manner.scope());
            return;
        }
        for (Release release : warp.fencedReleases(lane)) {
            Scope both = release.scope().compareTo(manner.scope()) < 0 ? release.scope() : manner.scope();
            hand(actor, release.knowledge(), both);
        }
        miss(actor, warp.glimpse(1 << lane), "is relaxed, without a fence before it");
        coming.near = coming.near.joinTold(warp.release(1 << lane));
    }

    /** The actor counts bytes, and releases nothing. */
    public void count() {
        Actor actor = order.acting();
        if (actor != null) {
            coming.visits.note(actor);
        }
    }

    /** The arrival of a thread's cp.asyncs; it hands over them alone, nothing else of the thread. PTX 8.9.1.1. */
    public void arriveCopies(Access last, int lane) {
        coming.near = coming.near.join(HappenedBefore.of(Clock.START.with(last.agent, 1 << lane, last.epoch)));
    }

    /** The arrival of a tcgen05.commit: who waits comes behind the work, and behind what the work came behind. */
    public void arriveTensor(CommitOrder commit) {
        Access last = commit.tracked;
        coming.visits.note(last, 0);
        coming.near =
                coming.near.join(commit.behind).join(HappenedBefore.of(Clock.START.with(last.agent, 1, last.epoch)));
    }

    private void hand(Actor actor, HappenedBefore knowledge, Scope scope) {
        if (actor.order().threads().cta() == copies.cta()) {
            coming.near = coming.near.join(knowledge);
        } else if (scope.compareTo(Scope.CLUSTER) >= 0) {
            coming.far = coming.far.join(knowledge);
        } else {
            coming.narrow = coming.narrow.join(knowledge);
            miss(actor, knowledge, "has scope .cta, which does not reach CTA " + copies.cta());
        }
    }

    private void miss(Actor actor, HappenedBefore knowledge, String rule) {
        coming.missed.add(Missed.of(knowledge, actor.access(), 1 << actor.lane(), rule));
    }

    /** A phase has ended. */
    public void complete(int phase) {
        near = near.join(coming.near).with(copies, 1, phase + 1);
        far = far.join(coming.far);
        Agent stores = remoteStores;
        if (stores != null) {
            far = far.with(stores, 1, phase + 1);
        }
        narrow = narrow.join(coming.narrow);
        missed = coming.missed;
        unseen.noteAll(coming.visits);
        coming = new Handed(copies.cta());
    }

    /** The CTA ends: all arrivals of others must have come before, or have been waited for. */
    public void end(Departure departure) {
        unseen.requireBefore(departure, copies.name(), order);
        coming.visits.requireBefore(departure, copies.name(), order);
    }

    /** The actor has observed the end of the last phase. */
    public void observe() {
        unseen.clear();
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        WarpOrder warp = actor.order();
        Access wait = actor.access();
        int lane = actor.lane();
        int lanes = 1 << lane;
        boolean wide = wait.manner.scope().compareTo(Scope.CLUSTER) >= 0;
        if (wait.manner.acquires()) {
            warp.acquire(lanes, near);
            if (wide) {
                warp.acquire(lanes, far);
            } else if (far != HappenedBefore.START) {
                warp.acquireNarrow(lane, far);
                warp.miss(
                        lanes,
                        Missed.of(
                                far,
                                wait,
                                lanes,
                                "has scope .cta, which does not reach the CTA that arrived or stored"));
            }
            if (narrow != HappenedBefore.START) {
                warp.acquireNarrow(lane, narrow);
            }
        } else {
            warp.observe(lane, new Observation(near, Scope.CTA));
            if (wide) {
                warp.observe(lane, new Observation(far, Scope.CLUSTER));
            }
            HappenedBefore all = near.join(far);
            warp.hear(lane, all);
            warp.miss(lanes, Missed.of(all, wait, lanes, "is relaxed, without a fence behind it"));
        }
        missed.forEach(order -> warp.miss(lanes, order));
    }
}
