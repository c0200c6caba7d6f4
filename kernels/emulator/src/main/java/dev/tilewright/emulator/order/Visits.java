package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.hazard.Site;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What others did in the shared memory of a CTA. It must be over before the CTA ends, for the memory goes with it: CUDA
 * C++ Programming Guide, "Distributed Shared Memory". Of each visitor the latest is enough: whoever knows of it knows
 * of those before.
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

    /** They are known to be over. */
    void clear() {
        latest.clear();
    }

    /**
     * Requires that all came before the end of the CTA, which whoever acts brings about.
     *
     * @param place where they were made, for people
     */
    public void requireBefore(Departure end, String place, Order order) {
        latest.forEach((visitor, access) -> {
            if (!end.comesBehind(access, visitor.lane)) {
                Rule rule = end.broken(access, visitor.lane);
                Hazard.Race.Side visit = Races.side(access, visitor.lane);
                order.findings()
                        .report(
                                rule,
                                access.evidence.statement(),
                                () -> new HazardFound(
                                        new Hazard.EarlyExit(visit, place, cta, end.missing(access, visitor.lane)),
                                        exit(order)));
            }
        });
    }

    private static @Nullable Site exit(Order order) {
        Actor exiting = order.acting();
        return exiting == null ? null : exiting.access().site(exiting.lane());
    }
}
