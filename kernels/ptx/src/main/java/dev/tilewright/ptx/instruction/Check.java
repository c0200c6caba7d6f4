package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;

/** The refusals that constructors share; every message names the instruction, the rule and the value. */
final class Check {
    private Check() {}

    static void that(boolean legal, String rule, Object got) {
        if (!legal) {
            throw new IllegalArgumentException(rule + ", got " + got);
        }
    }

    static void range(String what, long value, long low, long high) {
        that(value >= low && value <= high, what + " must be in " + low + ".." + high, value);
    }

    /** Checks a constant; a register can only be checked when the kernel runs. */
    static void range(String what, Operand<?> value, long low, long high) {
        if (value instanceof Immediate<?> constant) {
            range(what, constant.unsigned(), low, high);
        }
    }

    static void multiple(String what, long value, long of) {
        that(value % of == 0, what + " must be a multiple of " + of, value);
    }

    /**
     * Checks {@code [map, {coordinates}]}: as many dimensions as tensor maps know, and no offset of the map, which
     * ptxas does not parse before coordinates.
     */
    static void box(String mnemonic, GenericAddress map, List<?> coordinates) {
        range(mnemonic + ": dimensions", coordinates.size(), 1, 5);
        that(
                map.offset() == 0,
                mnemonic + ": the address of a tensor map must be a register alone, an offset is added to it before",
                "[" + map.base().name() + "+" + map.offset() + "]");
    }

    static void barrier(String mnemonic, Address barrier) {
        that(
                barrier instanceof SharedAddress || barrier instanceof ClusterAddress,
                mnemonic + ": barrier must be in shared memory",
                barrier.space());
    }

    static void aligned(String what, int offset, int bytes) {
        that(offset % bytes == 0, what + " must be aligned to " + bytes + " bytes", "offset " + offset);
    }
}
