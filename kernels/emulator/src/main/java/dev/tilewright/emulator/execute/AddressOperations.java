package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.StateSpace;

/** Addresses of variables, and the spaces that addresses lie in. PTX 9.7.9.3, 9.7.9.19, 9.7.9.20. */
final class AddressOperations {
    private AddressOperations() {}

    /** Generic address of the first byte of a space. */
    static long window(StateSpace space) {
        return switch (space) {
            case GLOBAL -> 0;
            case SHARED, SHARED_CLUSTER -> AddressSpace.SHARED;
            case PARAM -> AddressSpace.PARAMETERS;
            case LOCAL -> AddressSpace.LOCAL;
            case CONST -> AddressSpace.CONSTANTS;
            case GENERIC -> throw new NotEmulatedException("cvta of " + space);
        };
    }

    /** The address of a byte of a variable: in its own space, or generic. */
    static Operation address(
            String symbol, StateSpace space, int offset, boolean generic, Reg<?> register, Operands operands) {
        DestinationOperand d = operands.target(register);
        // The parameter variable of a call is storage of the thread.
        StateSpace home = space == StateSpace.PARAM && operands.hasLocal(symbol) ? StateSpace.LOCAL : space;
        long window = generic ? window(home) : 0;
        return switch (home) {
            case SHARED, SHARED_CLUSTER -> {
                int at = operands.shared().offset(symbol) + offset;
                yield Lanes.each(
                        (warp, lane) -> d.set(warp, lane, window + warp.cta().window(at)));
            }
            case PARAM -> constant(d, window + operands.parameters().offset(symbol) + offset);
            case LOCAL -> constant(d, window + operands.local(symbol) + offset);
            case GLOBAL, CONST, GENERIC ->
                constant(d, window + operands.variables().named(symbol).address() + offset);
        };
    }

    private static Operation constant(DestinationOperand d, long address) {
        return Lanes.each((warp, lane) -> d.set(warp, lane, address));
    }

    static boolean isIn(StateSpace space, Warp warp, long address) {
        return switch (space) {
            case SHARED ->
                AddressSpace.isShared(address)
                        && (int) (address - AddressSpace.SHARED) >>> AddressSpace.RANK_SHIFT
                                == warp.cta().rank();
            case SHARED_CLUSTER -> AddressSpace.isShared(address);
            case LOCAL -> AddressSpace.isLocal(address);
            case CONST -> AddressSpace.isConstant(address);
            case PARAM -> AddressSpace.isParameter(address);
            case GLOBAL, GENERIC -> AddressSpace.isGlobal(address);
        };
    }
}
