package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.machine.Warp;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.Decoder;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Value;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;

/** A memory operand: where it points for a lane, and ordinary accesses there. */
final class Place {
    private enum Space {
        SHARED,
        GLOBAL,
        GENERIC,
        PARAM
    }

    private final Space space;
    private final Value base;
    private final long offset;
    /** Whether the base is an offset in the own CTA's memory, without its rank. */
    private final boolean own;

    private Place(Space space, Value base, long offset, boolean own) {
        this.space = space;
        this.base = base;
        this.offset = offset;
        this.own = own;
    }

    static Place of(Address address, Decoder decoder) {
        return switch (address) {
            case SharedAddress a -> new Place(Space.SHARED, decoder.value(a.base()), a.offset(), false);
            case ClusterAddress a -> new Place(Space.SHARED, decoder.value(a.base()), a.offset(), false);
            case GlobalAddress a -> new Place(Space.GLOBAL, decoder.value(a.base()), a.offset(), false);
            case GenericAddress a -> new Place(Space.GENERIC, decoder.value(a.base()), a.offset(), false);
            case ParamAddress a ->
                new Place(Space.PARAM, Value.constant(decoder.parameters().offset(a.parameter())), a.offset(), false);
            case VariableAddress.Named a
            when a.space() == StateSpace.SHARED ->
                new Place(Space.SHARED, Value.constant(decoder.shared().offset(a.symbol())), a.offset(), true);
            case VariableAddress a -> throw new NotEmulatedException("variables in ." + a.space());
        };
    }

    /** The address for a lane: of the shared window, global, generic, or an offset among the parameters. */
    long address(Warp warp, int lane) {
        long address = base.get(warp, lane) + offset;
        if (space == Space.SHARED) {
            int window = (int) address;
            return (own ? warp.cta().window(window) : window) & 0xFFFFFFFFL;
        }
        return address;
    }

    /** The address in the shared window. */
    int shared(Warp warp, int lane) {
        return (int) address(warp, lane);
    }

    static void requireAligned(String access, long address, int alignment) {
        if (address % alignment != 0) {
            throw new HazardFound(new Hazard.Misaligned(access, address, alignment));
        }
    }

    long read(Strand strand, long address, int bytes) {
        return switch (space) {
            case SHARED -> readShared(strand, (int) address, bytes);
            case GLOBAL -> strand.grid().global().read(address, bytes);
            case PARAM -> strand.grid().parameters().read((int) address, bytes);
            case GENERIC -> {
                if (AddressSpace.isShared(address)) {
                    yield readShared(strand, (int) (address - AddressSpace.SHARED), bytes);
                }
                if (AddressSpace.isParameter(address)) {
                    yield strand.grid().parameters().read((int) (address - AddressSpace.PARAMETERS), bytes);
                }
                yield strand.grid().global().read(address, bytes);
            }
        };
    }

    private static long readShared(Strand strand, int address, int bytes) {
        Cluster cluster = strand.cta().cluster();
        return cluster.memory(address, "load").read(Cluster.offset(address), bytes);
    }

    void write(Strand strand, long address, int bytes, long value) {
        switch (space) {
            case SHARED -> writeShared(strand, (int) address, bytes, value);
            case GLOBAL -> strand.grid().global().write(address, bytes, value);
            case PARAM -> throw new HazardFound(new Hazard.BadOperand("a store to a parameter"));
            case GENERIC -> {
                if (AddressSpace.isShared(address)) {
                    writeShared(strand, (int) (address - AddressSpace.SHARED), bytes, value);
                } else if (AddressSpace.isParameter(address)) {
                    throw new HazardFound(new Hazard.BadOperand("a store to a parameter"));
                } else {
                    strand.grid().global().write(address, bytes, value);
                }
            }
        }
    }

    static void writeShared(Strand strand, int address, int bytes, long value) {
        Cta cta = strand.cta().cluster().cta(address, "store");
        cta.shared().write(Cluster.offset(address), bytes, value);
    }
}
