package dev.tilewright.emulator.order;

import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Words through which threads synchronise: what their latest strong write, and the atomics since, hand over. Whoever
 * reads such a word sees the latest write in the order in which the machine executes. PTX 8.8, 8.9.2.
 */
public final class Flags {
    /** The order that strong writes of one CTA, at one pair of scopes, pass on. */
    private static final class Handed {
        /** The latest of them. */
        private Access access;

        private int lane;
        /** Scope of the release pattern's first instruction; NONE if there is no release, but only evidence. */
        private final Scope first;

        private HappenedBefore knowledge;
        private boolean ofSeveral;

        Handed(Access access, int lane, Scope first, HappenedBefore knowledge) {
            this.access = access;
            this.lane = lane;
            this.first = first;
            this.knowledge = knowledge;
        }

        boolean isBy(Access other, int otherLane) {
            return access.agent == other.agent && lane == otherLane && !ofSeveral;
        }

        boolean hasKey(Access other, Scope otherFirst) {
            return first == otherFirst
                    && access.agent.cta() == other.agent.cta()
                    && access.manner.scope() == other.manner.scope();
        }
    }

    /** Words that are kept though they hand over nothing, so that a reader learns why. */
    private static final int MAX_EVIDENCE = 4096;

    private final Map<Long, List<Handed>> byAddress = new HashMap<>();

    /** A thread writes at an address. */
    public void write(Actor actor, long address) {
        Access access = actor.access();
        Manner manner = access.manner;
        if (!manner.strong()) {
            if (!byAddress.isEmpty()) {
                byAddress.remove(address);
            }
            return;
        }
        WarpOrder warp = actor.order();
        int lane = actor.lane();
        List<Release> fenced = warp.fencedReleases(lane);
        boolean evidence = fenced.isEmpty() && !manner.releases();
        if (evidence && byAddress.size() >= MAX_EVIDENCE && !byAddress.containsKey(address)) {
            return;
        }
        List<Handed> here = byAddress.computeIfAbsent(address, unused -> new ArrayList<>(1));
        if (!manner.updates()) {
            // An atomic goes on with what it read; a plain write only with what its own thread began.
            here.removeIf(old -> !old.isBy(access, lane));
        }
        HappenedBefore all = warp.release(1 << lane);
        // Accesses behind the fence are no part of its release, but a thread that reads the word has a sign of them.
        fenced.forEach(release ->
                add(here, access, lane, release.scope(), release.knowledge().joinTold(all)));
        if (manner.releases()) {
            add(here, access, lane, manner.scope(), all);
        } else if (evidence) {
            add(here, access, lane, Scope.NONE, all);
        }
    }

    private static void add(List<Handed> here, Access access, int lane, Scope first, HappenedBefore knowledge) {
        for (Handed old : here) {
            if (old.hasKey(access, first)) {
                old.ofSeveral |= !old.isBy(access, lane);
                old.access = access;
                old.lane = lane;
                old.knowledge = old.knowledge.join(knowledge);
                return;
            }
        }
        here.add(new Handed(access, lane, first, knowledge));
    }

    /** A thread reads at an address. */
    public void read(Actor actor, long address) {
        Manner manner = actor.access().manner;
        if (byAddress.isEmpty() || !manner.strong() || !manner.observes()) {
            return;
        }
        List<Handed> here = byAddress.get(address);
        if (here != null) {
            here.forEach(handed -> read(actor, handed));
        }
    }

    private static void read(Actor actor, Handed handed) {
        WarpOrder warp = actor.order();
        Access access = actor.access();
        Manner manner = access.manner;
        Agent reader = warp.threads();
        Agent writer = handed.access.agent;
        int lane = actor.lane();
        Scope narrowest = handed.first == Scope.NONE || handed.first.compareTo(handed.access.manner.scope()) > 0
                ? handed.access.manner.scope()
                : handed.first;
        Scope needed = Manner.needed(writer, reader);
        warp.hear(lane, handed.knowledge);
        if (!Manner.reaches(narrowest, writer, reader)) {
            String scope = narrowest.ptx();
            warp.miss(
                    1 << lane,
                    Missed.of(
                            handed.knowledge,
                            handed.access,
                            1 << handed.lane,
                            "or the fence before it has scope " + scope + ", which does not reach CTA "
                                    + reader.cta()));
        } else if (!Manner.reaches(manner.scope(), reader, writer)) {
            String rule = "has scope " + manner.scope().ptx() + ", which does not reach CTA " + writer.cta();
            warp.miss(1 << lane, Missed.of(handed.knowledge, access, 1 << lane, rule));
        } else if (handed.first == Scope.NONE) {
            String rule = "is relaxed, without a fence before it";
            warp.miss(1 << lane, Missed.of(handed.knowledge, handed.access, 1 << handed.lane, rule));
        } else if (manner.acquires()) {
            warp.acquire(1 << lane, handed.knowledge);
        } else {
            String rule = "is relaxed, without a fence of scope " + needed.ptx() + " or wider behind it";
            warp.observe(lane, new Observation(handed.knowledge, needed));
            warp.miss(1 << lane, Missed.of(handed.knowledge, access, 1 << lane, rule));
        }
    }
}
