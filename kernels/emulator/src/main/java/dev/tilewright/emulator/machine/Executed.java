package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;

/**
 * An executed instruction as evidence that outlives its CTA: it holds nothing of the machine.
 *
 * @param cta linear id in the grid
 * @param rank of the CTA in its cluster
 */
record Executed(Program program, int pc, int cta, int rank, int warp, int lane) implements Evidence {
    @Override
    public Site site() {
        return site(lane);
    }

    @Override
    public Site site(int executing) {
        Instr instr = program.code()[pc];
        return new Site(
                program.entry().name(),
                instr.statement,
                program.listing().line(instr.statement),
                program.listing().text(instr.statement),
                cta,
                rank,
                warp,
                executing);
    }
}
