package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.Target;
import dev.tilewright.emulator.program.Value;
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
                List<Target> d = i.d().stream().<Target>map(operands::target).toList();
                List<Value> b = i.b().stream().<Value>map(operands::value).toList();
                yield MemoryOperations.atomic(
                        i.operation(),
                        i.type(),
                        d,
                        MemoryOperand.of(i.address(), operands),
                        b,
                        i.c().<Value>map(operands::value));
            }
        };
    }
}
