package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Evidence;

/**
 * An executed instruction as evidence that outlives its CTA: it holds nothing of the machine.
 *
 * @param cta linear id in the grid
 * @param rank of the CTA in its cluster
 */
record ExecutedInstruction(ProgramText text, int pc, int cta, int rank, int warp, int lane) implements Evidence {
    @Override
    public int statement() {
        return pc;
    }

    @Override
    public Site site() {
        return site(lane);
    }

    @Override
    public Site site(int executing) {
        return text.site(pc, cta, rank, warp, executing);
    }
}
