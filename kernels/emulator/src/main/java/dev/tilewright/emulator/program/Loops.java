package dev.tilewright.emulator.program;

import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Finds the mbarrier waits inside loops. A loop that only repeats its wait does not count; a loop that also does other
 * work counts. A barrier whose waits all lie outside of loops is no ring: it cannot wrap.
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

    /**
     * The indices of loads that a loop repeats from one address, if the loop changes nothing that other threads see.
     */
    static BitSet polls(List<Unfolding.Line> lines, ControlFlow flow, RegisterUse use) {
        BitSet polls = new BitSet(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            Instruction load = lines.get(i).instruction();
            if (load instanceof Memory.Load) {
                BitSet addresses = new BitSet();
                Arrays.stream(use.addresses(lines.get(i))).forEach(addresses::set);
                polls.set(
                        i,
                        flow.returns(
                                i,
                                other -> Reach.of(lines.get(other).instruction()) != Reach.CHANGES
                                        && Arrays.stream(use.writes(lines.get(other)))
                                                .noneMatch(addresses::get)));
            }
        }
        return polls;
    }

    private static boolean isWait(Instruction instruction) {
        return instruction instanceof Mbarrier.Wait;
    }

    /** Whether an instruction does work: it is no wait, no branch, no comparison and no move. */
    private static boolean works(Instruction instruction) {
        return !isWait(instruction)
                && !(instruction instanceof Control || instruction instanceof Compare || instruction instanceof Move);
    }
}
