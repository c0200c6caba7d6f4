package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Origin;
import dev.tilewright.emulator.order.CommitOrder;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.List;

/** tcgen05.commit: arrives when all before it is done. PTX 9.7.16.12.1. */
record CommitWork(Origin origin, CtaGroup group, List<Arrival> arrivals, CommitOrder tracked) implements TensorWork {
    /** One arrival at a barrier of a CTA. */
    record Arrival(Cta cta, Mbarrier barrier) {}

    @Override
    public void execute() {
        for (Arrival arrival : arrivals) {
            if (arrival.cta().threads() == 0) {
                throw new HazardFound(new Hazard.ExitedCta(
                        "the arrival of " + this, arrival.cta().id()));
            }
            arrival.barrier().arriveTensor(origin, tracked);
        }
    }

    @Override
    public String toString() {
        return "the tcgen05.commit of " + origin;
    }
}
