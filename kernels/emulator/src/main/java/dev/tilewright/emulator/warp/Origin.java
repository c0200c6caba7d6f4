package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.order.Manner;

/** An executed instruction with its warp and lane, kept as evidence. */
public record Origin(Warp warp, int pc, int lane) {
    public Site site() {
        return evidence().site();
    }

    /** The same without the machine. */
    public Evidence evidence() {
        CtaCoordinates cta = warp.cta();
        return new ExecutedInstruction(warp.text(), pc, cta.id(), cta.rank(), warp.index(), lane);
    }

    /** How the instruction accesses memory. */
    public Manner manner() {
        return warp.text().manner(pc);
    }

    @Override
    public String toString() {
        return site().toString();
    }
}
