package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;

/** A memory operand: computes its address for a lane, and reads and writes there. */
final class MemoryOperand {
    private final StateSpace space;
    private final SourceOperand base;
    private final long offset;
    /** True if the base is an offset in the memory of the own CTA, without its rank. */
    private final boolean own;

    private MemoryOperand(StateSpace space, SourceOperand base, long offset, boolean own) {
        this.space = space;
        this.base = base;
        this.offset = offset;
        this.own = own;
    }

    static MemoryOperand of(Address address, Operands operands) {
        return switch (address) {
            case Address.InRegister a -> new MemoryOperand(a.space(), operands.value(a.base()), a.offset(), false);
            case ParamAddress a -> fixed(StateSpace.PARAM, operands.parameters().offset(a.parameter()), a, false);
            case VariableAddress a -> named(a, operands);
        };
    }

    private static MemoryOperand named(VariableAddress a, Operands operands) {
        String symbol = a.symbol();
        return switch (a.space()) {
            case SHARED, SHARED_CLUSTER ->
                fixed(StateSpace.SHARED, operands.shared().offset(symbol), a, true);
            case GLOBAL, CONST ->
                fixed(a.space(), operands.variables().named(symbol).address(), a, false);
            case LOCAL -> fixed(StateSpace.LOCAL, operands.local(symbol), a, false);
            case PARAM, GENERIC -> throw new NotEmulatedException("the variable " + symbol + " in ." + a.space());
        };
    }

    private static MemoryOperand fixed(StateSpace space, long address, Address a, boolean own) {
        return new MemoryOperand(space, SourceOperand.constant(address), a.offset(), own);
    }

    /** An address that a register holds, of any space. */
    static MemoryOperand generic(SourceOperand base) {
        return new MemoryOperand(StateSpace.GENERIC, base, 0, false);
    }

    private boolean isShared() {
        return space == StateSpace.SHARED || space == StateSpace.SHARED_CLUSTER;
    }

    /** True if the address, which this operand gave, lies in shared memory. */
    boolean isShared(long address) {
        return isShared() || (space == StateSpace.GENERIC && AddressSpace.isShared(address));
    }

    /** The address for a lane: of the shared window, global, generic, or an offset among the parameters. */
    long address(Warp warp, int lane) {
        long address = base.get(warp, lane) + offset;
        if (isShared()) {
            int window = (int) address;
            return (own ? warp.cta().window(window) : window) & 0xFFFFFFFFL;
        }
        return address;
    }

    /** The address in the shared window. */
    int shared(Warp warp, int lane) {
        return (int) address(warp, lane);
    }

    /** Requires an alignment, in bytes, of an address whose space the text does not name. */
    static void requireAligned(String access, long address, int alignment) {
        if (address % alignment != 0) {
            throw new HazardFound(new Hazard.Misaligned(access, "0x" + Long.toHexString(address), alignment));
        }
    }

    /** Requires that alignment of an address that this operand gave. */
    void requireAligned(Strand strand, String access, long address, int alignment) {
        if (address % alignment != 0) {
            throw new HazardFound(new Hazard.Misaligned(access, describe(strand, address), alignment));
        }
    }

    /** Names an address in a message: its space, and its variable or buffer. */
    private String describe(Strand strand, long address) {
        String hex = "0x" + Long.toHexString(address);
        return switch (space) {
            case SHARED, SHARED_CLUSTER -> describeShared(strand, (int) address);
            case GLOBAL -> strand.memory().global().describe(address);
            case PARAM -> "parameter " + hex;
            case LOCAL -> "local " + hex;
            case CONST -> "constant " + hex;
            case GENERIC -> {
                if (AddressSpace.isShared(address)) {
                    yield "generic " + hex + ", " + describeShared(strand, (int) (address - AddressSpace.SHARED));
                }
                yield AddressSpace.isGlobal(address) ? strand.memory().global().describe(address) : "generic " + hex;
            }
        };
    }

    private static String describeShared(Strand strand, int address) {
        int offset = Cluster.offset(address);
        return strand.program().shared().name(offset) + " (shared 0x" + Integer.toHexString(offset) + " of rank "
                + (address >>> AddressSpace.RANK_SHIFT) + ")";
    }

    /** Reads 1, 2, 4 or 8 bytes for the lane at which the strand is. */
    long read(Strand strand, long address, int bytes) {
        return switch (space) {
            case SHARED, SHARED_CLUSTER -> readShared(strand, (int) address, bytes);
            case GLOBAL -> strand.memory().global().read(address, bytes);
            case PARAM -> strand.memory().parameters().read((int) address, bytes);
            case LOCAL -> strand.warp().local().read(strand.lane(), address, bytes);
            case CONST -> strand.memory().constants().read(address, bytes);
            case GENERIC -> readGeneric(strand, address, bytes);
        };
    }

    private static long readGeneric(Strand strand, long address, int bytes) {
        if (AddressSpace.isGlobal(address)) {
            return strand.memory().global().read(address, bytes);
        }
        if (AddressSpace.isShared(address)) {
            return readShared(strand, (int) (address - AddressSpace.SHARED), bytes);
        }
        if (AddressSpace.isLocal(address)) {
            return strand.warp().local().read(strand.lane(), address - AddressSpace.LOCAL, bytes);
        }
        return AddressSpace.isConstant(address)
                ? strand.memory().constants().read(address - AddressSpace.CONSTANTS, bytes)
                : strand.memory().parameters().read((int) (address - AddressSpace.PARAMETERS), bytes);
    }

    private static long readShared(Strand strand, int address, int bytes) {
        Cluster cluster = strand.cluster();
        return cluster.memory(address, "load").read(Cluster.offset(address), bytes);
    }

    /** Writes 1, 2, 4 or 8 bytes for the lane at which the strand is. */
    void write(Strand strand, long address, int bytes, long value) {
        switch (space) {
            case SHARED, SHARED_CLUSTER -> writeShared(strand, (int) address, bytes, value);
            case GLOBAL -> strand.memory().global().write(address, bytes, value);
            case LOCAL -> strand.warp().local().write(strand.lane(), address, bytes, value);
            case PARAM, CONST -> throw readOnly(address);
            case GENERIC -> {
                if (AddressSpace.isGlobal(address)) {
                    strand.memory().global().write(address, bytes, value);
                } else if (AddressSpace.isShared(address)) {
                    writeShared(strand, (int) (address - AddressSpace.SHARED), bytes, value);
                } else if (AddressSpace.isLocal(address)) {
                    strand.warp().local().write(strand.lane(), address - AddressSpace.LOCAL, bytes, value);
                } else {
                    throw readOnly(address);
                }
            }
        }
    }

    private static HazardFound readOnly(long address) {
        return new HazardFound(
                new Hazard.BadOperand("a store to parameters or constants, at address 0x" + Long.toHexString(address)));
    }

    static void writeShared(Strand strand, int address, int bytes, long value) {
        Cta cta = strand.cluster().cta(address, "store");
        cta.shared().write(Cluster.offset(address), bytes, value);
    }
}
