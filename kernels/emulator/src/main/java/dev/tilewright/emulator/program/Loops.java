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

    /** The indices of loads that a loop repeats, at one place, which does nothing that others see. */
    static BitSet polls(List<Unfolding.Line> lines, ControlFlow flow, RegisterUse use) {
        BitSet polls = new BitSet(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            Instruction load = lines.get(i).instruction();
            if (load instanceof Memory.Load) {
                BitSet place = new BitSet();
                Arrays.stream(use.addresses(lines.get(i))).forEach(place::set);
                polls.set(
                        i,
                        flow.returns(
                                i,
                                other -> Reach.of(lines.get(other).instruction()) != Reach.CHANGES
                                        && Arrays.stream(use.writes(lines.get(other)))
                                                .noneMatch(place::get)));
            }
        }
        return polls;
    }

    private static boolean isWait(Instruction instruction) {
        return instruction instanceof Mbarrier.Wait;
    }

    /** Whether it does more than ask and decide. */
    private static boolean works(Instruction instruction) {
        return !isWait(instruction)
                && !(instruction instanceof Control || instruction instanceof Compare || instruction instanceof Move);
    }
}
