package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;

/** Who executed what, remembered for evidence. */
public record Origin(Warp warp, int pc, int lane) {
    public Site site() {
        Program program = warp.cta().grid().program();
        Instr instr = program.code()[pc];
        return new Site(
                program.entry().name(),
                instr.entryStatement,
                program.line(instr),
                program.text(instr),
                warp.cta().id(),
                warp.cta().rank(),
                warp.index(),
                lane);
    }

    @Override
    public String toString() {
        return site().toString();
    }
}
