package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.type.Address;

/** L2 policies, of which the machine keeps what kernels could see: nothing but the bits. PTX 9.7.9.16 to 9.7.9.18. */
public final class CachePolicyOperations {
    private static final int LINE = 128;

    private CachePolicyOperations() {}

    public static Operation decode(CachePolicy instruction, Operands operands) {
        return switch (instruction) {
            case CachePolicy.Fractional i -> {
                DestinationOperand d = operands.target(i.d());
                long policy = policy(i.primary());
                yield Lanes.each((warp, lane) -> d.set(warp, lane, policy));
            }
            case CachePolicy.Range i -> {
                DestinationOperand d = operands.target(i.d());
                long policy = policy(i.primary());
                yield Lanes.each((warp, lane) -> d.set(warp, lane, policy));
            }
            case CachePolicy.FromProperty i -> {
                SourceOperand property = operands.value(i.property());
                yield Lanes.unary(operands.target(i.d()), property, bits -> bits);
            }
            case CachePolicy.ResetPriority i -> line("applypriority", i.address(), operands);
            case CachePolicy.Discard i -> line("discard", i.address(), operands);
        };
    }

    /** Changes nothing, but asks only for a line that is there. */
    private static Operation line(String mnemonic, Address address, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(address, operands);
        return Lanes.access((strand, lane) -> {
            long at = operand.address(strand.warp(), lane);
            MemoryOperand.requireAligned(mnemonic, at, LINE);
            strand.memory().global().holding(at, LINE, mnemonic);
        });
    }

    /** Values that compilers use as ready-made policies; the machine has no cache to which they could matter. */
    private static long policy(EvictionPriority priority) {
        return switch (priority) {
            case EVICT_NORMAL -> 0x1000_0000_0000_0000L;
            case EVICT_FIRST -> 0x12F0_0000_0000_0000L;
            case EVICT_LAST -> 0x14F0_0000_0000_0000L;
            case EVICT_UNCHANGED -> 0x1600_0000_0000_0000L;
        };
    }
}
