package dev.tilewright.emulator.program;

import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.SetCompare;
import dev.tilewright.ptx.instruction.StateBarrier;
import java.util.BitSet;
import java.util.List;

/**
 * Which waits for mbarriers may be come back to. Asking again until the answer is yes is no loop; one that does
 * anything else between is. A barrier that is waited for outside of loops alone is no ring: it cannot wrap.
 */
final class Loops {
    private Loops() {}

    /** The indices of waits in loops. */
    static BitSet waits(List<Unfolding.Line> lines, ControlFlow flow) {
        BitSet waits = new BitSet(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            if (isWait(lines.get(i).instruction())) {
                BitSet cycle = flow.cycle(i);
                waits.set(
                        i,
                        cycle.stream().anyMatch(other -> works(lines.get(other).instruction())));
            }
        }
        return waits;
    }

    private static boolean isWait(Instruction instruction) {
        return instruction instanceof Mbarrier.Wait || instruction instanceof StateBarrier.Wait;
    }

    /** Whether it does more than ask and decide. */
    private static boolean works(Instruction instruction) {
        return !isWait(instruction)
                && !(instruction instanceof Control
                        || instruction instanceof Compare
                        || instruction instanceof SetCompare
                        || instruction instanceof Move);
    }
}
