package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.program.RegisterMap;
import java.util.BitSet;

/** The registers into which tcgen05.ld of a warp are under way. */
public final class TensorRegisters {
    private final RegisterMap names;
    private final BitSet loading = new BitSet();

    TensorRegisters(RegisterMap names) {
        this.names = names;
    }

    /** An instruction accesses registers. */
    void touch(int[] ids) {
        if (loading.isEmpty()) {
            return;
        }
        for (int id : ids) {
            if (loading.get(id)) {
                throw new HazardFound(new Hazard.TensorLoadInFlight(names.name(id)));
            }
        }
    }

    /** A tcgen05.ld writes these registers. */
    public void load(int[] ids) {
        touch(ids);
        for (int id : ids) {
            loading.set(id);
        }
    }

    /** tcgen05.wait::ld. */
    public void waited() {
        loading.clear();
    }
}
