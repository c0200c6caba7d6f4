package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.order.TensorAccess;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.emulator.warp.Warp;

/**
 * tcgen05.ld and tcgen05.st of a warp. The values move at once; that nothing may rely on it before the wait is kept in
 * the order of accesses and in the warp's registers. PTX 9.7.16.8.
 */
public final class Moves {
    private static final int ALL = -1;

    private Moves() {}

    /**
     * tcgen05.ld.
     *
     * @param d word registers
     */
    public static void load(Issuer issuer, LaneShape shape, int[] d, int address) {
        Warp warp = issuer.warp();
        TensorUnit unit = issuer.tensorUnit();
        Origin origin = issuer.origin();
        TensorAccess access = warp.order().tensor().load(origin.manner(), origin.evidence());
        touch(issuer, unit, shape, address, access, true);
        warp.tensorRegisters().load(d);
        TensorMemory memory = unit.memory();
        int lane0 = address >>> 16;
        int column0 = address & 0xFFFF;
        for (int i = 0; i < d.length; i++) {
            int known = 0;
            Unwritten source = null;
            for (int thread = 0; thread < Warp.LANES; thread++) {
                int lane = lane0 + shape.lane(thread, i);
                int column = column0 + shape.column(thread, i);
                if (memory.isWritten(column, lane) && (!shape.halves() || memory.isWritten(column + 1, lane))) {
                    known |= 1 << thread;
                    int word = memory.get(column, lane);
                    warp.words[d[i] * Warp.LANES + thread] =
                            shape.halves() ? word & 0xFFFF | memory.get(column + 1, lane) << 16 : word;
                } else if (source == null) {
                    source = memory.source(memory.isWritten(column, lane) ? column + 1 : column, lane);
                }
            }
            warp.defineOnly(d[i], known, source);
        }
    }

    /**
     * tcgen05.st.
     *
     * @param values as word of register i in lane l
     */
    public static void store(Issuer issuer, LaneShape shape, int address, Words values) {
        Warp warp = issuer.warp();
        TensorUnit unit = issuer.tensorUnit();
        Origin origin = issuer.origin();
        TensorAccess access = warp.order().tensor().store(origin.manner(), origin.evidence());
        touch(issuer, unit, shape, address, access, false);
        TensorMemory memory = unit.memory();
        for (int i = 0; i < shape.registers(); i++) {
            for (int thread = 0; thread < Warp.LANES; thread++) {
                int column = (address & 0xFFFF) + shape.column(thread, i);
                int lane = (address >>> 16) + shape.lane(thread, i);
                int word = values.word(i, thread);
                memory.set(column, lane, shape.halves() ? word & 0xFFFF : word);
                if (shape.halves()) {
                    memory.set(column + 1, lane, word >>> 16);
                }
            }
        }
    }

    /** The words that registers hold. */
    @FunctionalInterface
    public interface Words {
        int word(int register, int lane);
    }

    private static void touch(
            Issuer issuer, TensorUnit unit, LaneShape shape, int address, TensorAccess access, boolean load) {
        String what = load ? "tcgen05.ld" : "tcgen05.st";
        int lane0 = address >>> 16;
        int first = 32 * (issuer.warp().index() % 4);
        boolean reachable = lane0 == first || lane0 == first + 16 && shape.lanes() == 16;
        if (!reachable) {
            throw new HazardFound(
                    new Hazard.TensorMemoryMisuse(what + "." + shape.shape().ptx() + " at lane " + lane0 + " by warp "
                            + issuer.warp().index() + ", which reaches lanes " + first + ".." + (first + 31)));
        }
        TensorMemory memory = unit.memory();
        shape.columns(at -> {
            int column = (address & 0xFFFF) + at;
            memory.requireOwned(unit, column, 1, what);
            for (int lane = lane0; lane < lane0 + shape.lanes(); lane += TensorMemory.GRANULE_LANES) {
                int granule = TensorMemory.granule(column, lane);
                if (load) {
                    memory.shadow().read(issuer, ALL, access, granule);
                } else {
                    memory.shadow().write(issuer, ALL, access, granule);
                }
            }
        });
    }
}
