package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.MemoryAccess;
import dev.tilewright.ptx.instruction.Synchronisation;

/** Atomics and fences beside the common ones. PTX 9.7.13.4 to 9.7.13.7. */
public final class SynchronisationOperations {
    private SynchronisationOperations() {}

    public static Operation decode(Synchronisation instruction, Operands operands) {
        return switch (instruction) {
            case Synchronisation.HintedAtomic i ->
                switch (i.access()) {
                    case Memory.Atomic access -> MemoryOperations.decode(access, operands);
                    case Memory.Reduce access -> MemoryOperations.decode(access, operands);
                    case MemoryAccess.Atomic access -> AccessOperations.decode(access, operands);
                    case Synchronisation.Exchange128 access -> decode(access, operands);
                };
            // Narrower than the fence that it stands for here only in which objects it is for.
            case Synchronisation.RestrictedFence i -> BarrierOperations.threadFence(i.sem(), i.scope());
            case Synchronisation.Exchange128 _ -> throw new NotEmulatedException("an atomic of 128 bits");
            case Synchronisation.ReduceAsync _ -> throw new NotEmulatedException("red.async");
        };
    }
}
