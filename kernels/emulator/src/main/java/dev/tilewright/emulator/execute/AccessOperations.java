package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.MemoryAccess;
import java.util.List;

/** Accesses with hints, which change nothing, and atomics on halves and vectors. PTX 9.7.9, 9.7.13. */
public final class AccessOperations {
    private AccessOperations() {}

    public static Operation decode(MemoryAccess instruction, Operands operands) {
        return switch (instruction) {
            case MemoryAccess.HintedLoad i -> MemoryOperations.decode(i.access(), operands);
            case MemoryAccess.HintedStore i -> MemoryOperations.decode(i.access(), operands);
            // It may name any address, also beyond what there is.
            case MemoryAccess.Prefetch _ -> (strand, mask) -> Outcome.NEXT;
            case MemoryAccess.Atomic i -> {
                List<DestinationOperand> d =
                        i.d().stream().<DestinationOperand>map(operands::target).toList();
                List<SourceOperand> b =
                        i.b().stream().<SourceOperand>map(operands::value).toList();
                yield MemoryOperations.atomic(
                        i.operation(),
                        i.type(),
                        d,
                        MemoryOperand.of(i.address(), operands),
                        b,
                        i.c().<SourceOperand>map(operands::value));
            }
        };
    }
}
