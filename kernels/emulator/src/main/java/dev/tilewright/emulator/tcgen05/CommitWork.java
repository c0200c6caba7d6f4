package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.List;

/** tcgen05.commit: when all before it is done, sends its arrivals. PTX 9.7.16.12.1. */
record CommitWork(Origin origin, CtaGroup group, List<CommitArrival> arrivals) implements TensorWork {
    @Override
    public void execute() {
        arrivals.forEach(CommitArrival::send);
    }

    @Override
    public String toString() {
        return "the tcgen05.commit of " + origin;
    }
}
