package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.hazard.BarrierState;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.order.Access;
import java.util.ArrayList;
import java.util.List;

/** What a CTA has seen of the answers to its cluster. PTX 9.7.13.17. */
public final class LaunchControl {
    /** Beyond this the oldest is forgotten. */
    private static final int MOST = 64;

    private record Failure(Access access, int lane, Site site) {}

    private final List<Failure> failures = new ArrayList<>();

    /** A thread has learned that a request failed. */
    public void failed(Strand strand) {
        Access access = strand.access();
        failures.removeIf(known -> known.lane == strand.lane() && known.access == access);
        if (failures.size() == MOST) {
            failures.removeFirst();
        }
        failures.add(new Failure(access, strand.lane(), strand.site()));
    }

    /** Requires that no failure which came before what a thread does now was seen by its CTA. */
    public void requireMayAsk(Strand strand, BarrierState barrier) {
        for (Failure failure : failures) {
            if (strand.order().sees(failure.access, failure.lane, strand.lane())) {
                throw new HazardFound(new Hazard.LaunchControlMisuse(
                        "try_cancel by CTA " + strand.cta().id() + ", which has seen an answer fail at " + failure.site,
                        List.of(barrier)));
            }
        }
    }

    /** The CTAs that a request is answered to: all must live. */
    public static List<Cta> receivers(Strand strand, boolean multicast) {
        if (!multicast) {
            return List.of(strand.cta());
        }
        List<Cta> ctas = strand.cta().cluster().ctas();
        for (Cta cta : ctas) {
            if (cta.threads() == 0) {
                throw new HazardFound(
                        new Hazard.ExitedCta("clusterlaunchcontrol.try_cancel.multicast::cluster::all", cta.id()));
            }
        }
        return ctas;
    }
}
