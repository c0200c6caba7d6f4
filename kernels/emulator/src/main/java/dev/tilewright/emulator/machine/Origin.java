package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.order.Manner;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;

/** Who executed what, remembered for evidence. */
public record Origin(Warp warp, int pc, int lane) implements Evidence {
    @Override
    public Site site(int executing) {
        return new Origin(warp, pc, executing).site();
    }

    public Site site() {
        Program program = warp.cta().grid().program();
        Instr instr = program.code()[pc];
        return new Site(
                program.entry().name(),
                instr.statement,
                program.listing().line(instr.statement),
                program.listing().text(instr.statement),
                warp.cta().id(),
                warp.cta().rank(),
                warp.index(),
                lane);
    }

    /** How the instruction accesses memory. */
    public Manner manner() {
        return warp.cta().grid().program().code()[pc].manner;
    }

    @Override
    public String toString() {
        return site().toString();
    }
}
