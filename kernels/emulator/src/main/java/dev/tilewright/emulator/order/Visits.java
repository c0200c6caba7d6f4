package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.hazard.Site;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The accesses of other CTAs to the shared memory of a CTA. They must be complete before the CTA ends, because its
 * memory ends with it: CUDA C++ Programming Guide, "Distributed Shared Memory". The latest access of each visitor is
 * enough, because an agent that comes behind it also comes behind the earlier ones.
 */
public final class Visits {
    private record Visitor(Agent agent, int lane) {}

    private final int cta;
    private final Map<Visitor, Access> latest = new LinkedHashMap<>();

    /** Nobody has visited the CTA yet. */
    public Visits(int cta) {
        this.cta = cta;
    }

    /** A thread accesses the memory; the CTA's own are no visitors. */
    public void note(Actor actor) {
        note(actor.access(), actor.lane());
    }

    void note(Access access, int lane) {
        if (access.agent.cta() != cta) {
            put(new Visitor(access.agent, lane), access);
        }
    }

    void noteAll(Visits others) {
        others.latest.forEach(this::put);
    }

    /** Work that is asynchronous is not noted in its order. */
    private void put(Visitor visitor, Access access) {
        latest.merge(visitor, access, (known, other) -> other.epoch >= known.epoch ? other : known);
    }

    /** Forgets all visits, which are known to be complete. */
    void clear() {
        latest.clear();
    }

    /**
     * Requires that all accesses came before the end of the CTA, which the actor brings about.
     *
     * @param location of the accesses, for messages
     */
    public void requireBefore(Departure end, String location, Order order) {
        latest.forEach((visitor, access) -> {
            if (!end.comesBehind(access, visitor.lane)) {
                Rule rule = end.broken(access, visitor.lane);
                Hazard.Race.Side visit = Races.side(access, visitor.lane);
                order.findings()
                        .report(
                                rule,
                                access.evidence.statement(),
                                () -> new HazardFound(
                                        new Hazard.EarlyExit(visit, location, cta, end.missing(access, visitor.lane)),
                                        exit(order)));
            }
        });
    }

    private static @Nullable Site exit(Order order) {
        Actor exiting = order.acting();
        return exiting == null ? null : exiting.access().site(exiting.lane());
    }
}
