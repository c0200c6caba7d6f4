package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.Dim3;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Grid;
import dev.tilewright.emulator.machine.Warp;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.Operation;
import dev.tilewright.emulator.program.Target;
import dev.tilewright.ptx.type.SpecialRegister;

/** What the special registers say. The machine's clock counts warp instructions. PTX 10. */
final class SpecialRegisters {
    /** The clock's first nanosecond: not 0, which kernels take for "never". */
    private static final long EPOCH_NS = 1_000_000_000L;

    @FunctionalInterface
    private interface Reader {
        long of(Warp warp, int lane);
    }

    private SpecialRegisters() {}

    static Operation read(SpecialRegister special, Target d) {
        Reader reader = reader(special);
        return Lanes.each((warp, lane) -> d.set(warp, lane, reader.of(warp, lane)));
    }

    private static Reader reader(SpecialRegister special) {
        return switch (special) {
            case TID_X -> (w, l) -> w.thread(l) % block(w).x();
            case TID_Y -> (w, l) -> w.thread(l) / block(w).x() % block(w).y();
            case TID_Z -> (w, l) -> w.thread(l) / block(w).x() / block(w).y();
            case NTID_X -> (w, l) -> block(w).x();
            case NTID_Y -> (w, l) -> block(w).y();
            case NTID_Z -> (w, l) -> block(w).z();
            case LANEID -> (w, l) -> l;
            case WARPID -> (w, l) -> w.index();
            case NWARPID -> (w, l) -> w.cta().warps().size();
            case CTAID_X -> (w, l) -> w.cta().x();
            case CTAID_Y -> (w, l) -> w.cta().y();
            case CTAID_Z -> (w, l) -> w.cta().z();
            case NCTAID_X -> (w, l) -> grid(w).x();
            case NCTAID_Y -> (w, l) -> grid(w).y();
            case NCTAID_Z -> (w, l) -> grid(w).z();
            case SMID -> (w, l) -> w.cta().sm();
            case NSMID -> (w, l) -> w.cta().grid().options().sms();
            case CLUSTERID_X -> (w, l) -> w.cta().cluster().x();
            case CLUSTERID_Y -> (w, l) -> w.cta().cluster().y();
            case CLUSTERID_Z -> (w, l) -> w.cta().cluster().z();
            case NCLUSTERID_X -> (w, l) -> grid(w).x() / cluster(w).x();
            case NCLUSTERID_Y -> (w, l) -> grid(w).y() / cluster(w).y();
            case NCLUSTERID_Z -> (w, l) -> grid(w).z() / cluster(w).z();
            case CLUSTER_CTAID_X -> (w, l) -> w.cta().x() % cluster(w).x();
            case CLUSTER_CTAID_Y -> (w, l) -> w.cta().y() % cluster(w).y();
            case CLUSTER_CTAID_Z -> (w, l) -> w.cta().z() % cluster(w).z();
            case CLUSTER_NCTAID_X -> (w, l) -> cluster(w).x();
            case CLUSTER_NCTAID_Y -> (w, l) -> cluster(w).y();
            case CLUSTER_NCTAID_Z -> (w, l) -> cluster(w).z();
            case CLUSTER_CTARANK -> (w, l) -> w.cta().rank();
            case CLUSTER_NCTARANK -> (w, l) -> cluster(w).count();
            case LANEMASK_EQ -> (w, l) -> 1 << l;
            case LANEMASK_LE -> (w, l) -> (2 << l) - 1;
            case LANEMASK_LT -> (w, l) -> (1 << l) - 1;
            case LANEMASK_GE -> (w, l) -> -1 << l;
            case LANEMASK_GT -> (w, l) -> -2 << l;
            case GRIDID -> (w, l) -> 1;
            case CLOCK_HI -> (w, l) -> machine(w).steps() >>> 32;
            case GLOBALTIMER_LO -> (w, l) -> EPOCH_NS + machine(w).steps();
            case GLOBALTIMER_HI -> (w, l) -> EPOCH_NS + machine(w).steps() >>> 32;
            case DYNAMIC_SMEM_SIZE -> (w, l) -> machine(w).launch().dynamicShared();
            case TOTAL_SMEM_SIZE ->
                (w, l) -> machine(w).program().shared().end(machine(w).launch().dynamicShared())
                        - AddressSpace.SHARED_START;
            case CLOCK, CLOCK64 -> (w, l) -> machine(w).steps();
            case GLOBALTIMER -> (w, l) -> EPOCH_NS + machine(w).steps();
        };
    }

    private static Grid machine(Warp warp) {
        Cta cta = warp.cta();
        return cta.grid();
    }

    private static Dim3 block(Warp warp) {
        return machine(warp).launch().block();
    }

    private static Dim3 grid(Warp warp) {
        return machine(warp).launch().grid();
    }

    private static Dim3 cluster(Warp warp) {
        return machine(warp).launch().cluster();
    }
}
