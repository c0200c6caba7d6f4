package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Finds the undefined elements of a warp's product: those of a row of A or a column of B with an undefined element, and
 * those with an undefined addend.
 */
final class UndefinedProduct {
    /** A matrix in the registers of a warp; none where the operand is a constant. */
    record Part(Fragment fragment, List<Optional<DestinationOperand>> registers) {
        static Part of(Fragment fragment, List<? extends Operand<?>> operands, Operands names) {
            return new Part(
                    fragment,
                    operands.stream()
                            .map(operand -> operand instanceof Reg<?> register
                                    ? Optional.of(names.target(register))
                                    : Optional.<DestinationOperand>empty())
                            .toList());
        }

        /** The elements that lanes hold in registers which mean nothing, counted by rows. */
        private BitSet undefined(Warp warp) {
            BitSet elements = new BitSet();
            int inRegister = fragment.slots() / registers.size();
            for (int r = 0; r < registers.size(); r++) {
                int lanes =
                        registers.get(r).isEmpty() ? 0 : registers.get(r).get().undefined(warp, -1);
                for (int rest = lanes; rest != 0; rest &= rest - 1) {
                    for (int slot = r * inRegister; slot < (r + 1) * inRegister; slot++) {
                        elements.set(fragment.index(Integer.numberOfTrailingZeros(rest), slot));
                    }
                }
            }
            return elements;
        }

        private void undefine(Warp warp, BitSet elements, Unwritten source) {
            int inRegister = fragment.slots() / registers.size();
            for (int slot = 0; slot < fragment.slots(); slot++) {
                int lanes = 0;
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    lanes |= elements.get(fragment.index(lane, slot)) ? 1 << lane : 0;
                }
                if (lanes != 0) {
                    registers.get(slot / inRegister).orElseThrow().undefine(warp, lanes, source);
                }
            }
        }
    }

    private UndefinedProduct() {}

    /** The multiply, which leaves such elements undefined. */
    static Operation of(Operation multiply, Part a, Part b, Part c, Part d) {
        return (strand, mask) -> {
            if (strand.warp().undefined(strand.instr().reads, mask) != 0) {
                undefine(strand, a, b, c, d);
            }
            return multiply.execute(strand, mask);
        };
    }

    private static void undefine(Strand strand, Part a, Part b, Part c, Part d) {
        Warp warp = strand.warp();
        Unwritten source = warp.sourceOf(strand.instr().reads, "the matrix multiply of " + strand.origin());
        int columns = b.fragment().width();
        BitSet elements = c.undefined(warp);
        a.undefined(warp).stream()
                .map(element -> element / a.fragment().width())
                .forEach(row -> elements.set(row * columns, (row + 1) * columns));
        b.undefined(warp).stream().map(element -> element % columns).forEach(column -> {
            for (int row = 0; row < a.fragment().height(); row++) {
                elements.set(row * columns + column);
            }
        });
        d.undefine(warp, elements, source);
    }
}
