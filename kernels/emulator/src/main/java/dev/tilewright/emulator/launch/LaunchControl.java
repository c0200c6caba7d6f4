package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.hazard.BarrierState;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Actor;
import java.util.ArrayList;
import java.util.List;

/** The answers to its cluster that a CTA has read. PTX 9.7.13.17. */
public final class LaunchControl {
    /** Beyond this the oldest is forgotten. */
    private static final int MAX_FAILURES = 64;

    private record Failure(Access access, int lane, Site site) {}

    private final List<Failure> failures = new ArrayList<>();

    /** A thread has learned, at this site, that a request failed. */
    public void failed(Actor thread, Site site) {
        Access access = thread.access();
        failures.removeIf(known -> known.lane == thread.lane() && known.access == access);
        if (failures.size() == MAX_FAILURES) {
            failures.removeFirst();
        }
        failures.add(new Failure(access, thread.lane(), site));
    }

    /** Requires that no failure which came before what a thread does now was seen by its CTA. */
    public void requireMayAsk(Actor thread, int cta, BarrierState barrier) {
        for (Failure failure : failures) {
            if (thread.order().sees(failure.access, failure.lane, thread.lane())) {
                throw new HazardFound(new Hazard.LaunchControlMisuse(
                        "try_cancel by CTA " + cta + ", which has seen an answer fail at " + failure.site,
                        List.of(barrier)));
            }
        }
    }
}
