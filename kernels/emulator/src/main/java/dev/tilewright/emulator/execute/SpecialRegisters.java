package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.warp.CtaCoordinates;
import dev.tilewright.ptx.type.SpecialRegister;

/** The values of the special registers. The clock counts warp instructions. PTX 10. */
final class SpecialRegisters {
    /** The clock's first nanosecond: not 0, which kernels take for "never". */
    private static final long EPOCH_NS = 1_000_000_000L;

    @FunctionalInterface
    private interface Reader {
        long of(Strand strand, int lane);
    }

    private SpecialRegisters() {}

    static Operation read(SpecialRegister special, DestinationOperand d) {
        Reader reader = reader(special);
        return Lanes.inside((strand, lane) -> d.set(strand.warp(), lane, reader.of(strand, lane)));
    }

    private static Reader reader(SpecialRegister special) {
        return switch (special) {
            case TID_X -> (s, l) -> s.warp().thread(l) % block(s).x();
            case TID_Y -> (s, l) -> s.warp().thread(l) / block(s).x() % block(s).y();
            case TID_Z -> (s, l) -> s.warp().thread(l) / block(s).x() / block(s).y();
            case NTID_X -> (s, l) -> block(s).x();
            case NTID_Y -> (s, l) -> block(s).y();
            case NTID_Z -> (s, l) -> block(s).z();
            case LANEID -> (s, l) -> l;
            case WARPID -> (s, l) -> s.warp().index();
            case NWARPID -> (s, l) -> s.cta().warps().size();
            case CTAID_X -> (s, l) -> cta(s).x();
            case CTAID_Y -> (s, l) -> cta(s).y();
            case CTAID_Z -> (s, l) -> cta(s).z();
            case NCTAID_X -> (s, l) -> grid(s).x();
            case NCTAID_Y -> (s, l) -> grid(s).y();
            case NCTAID_Z -> (s, l) -> grid(s).z();
            case SMID -> (s, l) -> cta(s).sm();
            case NSMID -> (s, l) -> s.device().options().sms();
            case CLUSTERID_X -> (s, l) -> cta(s).cluster().x();
            case CLUSTERID_Y -> (s, l) -> cta(s).cluster().y();
            case CLUSTERID_Z -> (s, l) -> cta(s).cluster().z();
            case NCLUSTERID_X -> (s, l) -> grid(s).x() / cluster(s).x();
            case NCLUSTERID_Y -> (s, l) -> grid(s).y() / cluster(s).y();
            case NCLUSTERID_Z -> (s, l) -> grid(s).z() / cluster(s).z();
            case CLUSTER_CTAID_X -> (s, l) -> cta(s).x() % cluster(s).x();
            case CLUSTER_CTAID_Y -> (s, l) -> cta(s).y() % cluster(s).y();
            case CLUSTER_CTAID_Z -> (s, l) -> cta(s).z() % cluster(s).z();
            case CLUSTER_NCTAID_X -> (s, l) -> cluster(s).x();
            case CLUSTER_NCTAID_Y -> (s, l) -> cluster(s).y();
            case CLUSTER_NCTAID_Z -> (s, l) -> cluster(s).z();
            case CLUSTER_CTARANK -> (s, l) -> cta(s).rank();
            case CLUSTER_NCTARANK -> (s, l) -> cluster(s).count();
            case LANEMASK_EQ -> (s, l) -> 1 << l;
            case LANEMASK_LE -> (s, l) -> (2 << l) - 1;
            case LANEMASK_LT -> (s, l) -> (1 << l) - 1;
            case LANEMASK_GE -> (s, l) -> -1 << l;
            case LANEMASK_GT -> (s, l) -> -2 << l;
            case GRIDID -> (s, l) -> 1;
            case CLOCK_HI -> (s, l) -> steps(s) >>> 32;
            case GLOBALTIMER_LO -> (s, l) -> EPOCH_NS + steps(s);
            case GLOBALTIMER_HI -> (s, l) -> EPOCH_NS + steps(s) >>> 32;
            case DYNAMIC_SMEM_SIZE -> (s, l) -> launch(s).dynamicShared();
            case TOTAL_SMEM_SIZE -> (s, l) -> s.device().footprint().sharedBytes() - AddressSpace.SHARED_START;
            case CLOCK, CLOCK64 -> (s, l) -> steps(s);
            case GLOBALTIMER -> (s, l) -> EPOCH_NS + steps(s);
        };
    }

    private static CtaCoordinates cta(Strand strand) {
        return strand.warp().cta();
    }

    private static long steps(Strand strand) {
        return strand.device().tally().steps();
    }

    private static Launch launch(Strand strand) {
        return strand.device().launch();
    }

    private static Dim3 block(Strand strand) {
        return launch(strand).block();
    }

    private static Dim3 grid(Strand strand) {
        return launch(strand).grid();
    }

    private static Dim3 cluster(Strand strand) {
        return launch(strand).cluster();
    }
}
