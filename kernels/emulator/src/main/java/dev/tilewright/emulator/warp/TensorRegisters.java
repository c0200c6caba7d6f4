package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import java.util.Arrays;
import java.util.BitSet;

/** The registers into which tcgen05.ld of a warp are under way. */
public final class TensorRegisters {
    private static final int[] NOTHING = {};

    private final RegisterMap names;
    private final BitSet loading = new BitSet();

    TensorRegisters(RegisterMap names) {
        this.names = names;
    }

    /**
     * An ordinary instruction accesses registers. One that reads a register gets what was loaded, and the load is over
     * then: PTX 9.7.16.6.4.5. One that only writes it may come before the load does.
     */
    void touch(int[] ids, int[] reads) {
        if (loading.isEmpty()) {
            return;
        }
        for (int id : ids) {
            if (loading.get(id)) {
                if (!contains(reads, id)) {
                    throw new HazardFound(new Hazard.TensorLoadInFlight(names.name(id)));
                }
                loading.clear(id);
            }
        }
    }

    private static boolean contains(int[] ids, int wanted) {
        return Arrays.stream(ids).anyMatch(id -> id == wanted);
    }

    /** A tcgen05.ld writes these registers. */
    public void load(int[] ids) {
        touch(ids, NOTHING);
        for (int id : ids) {
            loading.set(id);
        }
    }

    /** tcgen05.wait::ld. */
    public void waited() {
        loading.clear();
    }
}
