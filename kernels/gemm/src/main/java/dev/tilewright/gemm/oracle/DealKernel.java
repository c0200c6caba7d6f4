package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.stream.IntStream;

/**
 * CTAs of one thread that say on which SM they are, in clusters of every size that each GPU launches, and stay a while,
 * so that all clusters of the launch that fit are there at a time. CTAs of one cluster are on one GPC, so that clusters
 * of several sizes show which SMs are.
 *
 * <p>Parameters: out (u64, device address of a u32 for each CTA), stay (u64, nanoseconds).
 */
public final class DealKernel {

    /** CTAs of the largest cluster that every GPU with clusters launches. */
    public static final int LARGEST_CLUSTER = 8;

    /** Longer by far than it takes to launch all CTAs of a wave. */
    private static final long STAY_NS = 100_000;

    private static final int SLEEP_NS = 1_000;

    private DealKernel() {}

    /** Name of the entry with clusters of a size. */
    public static String entry(int clusterSize) {
        return "deal_" + clusterSize;
    }

    /** Sizes of clusters that have an entry. */
    public static IntStream clusterSizes() {
        return IntStream.rangeClosed(2, LARGEST_CLUSTER);
    }

    /** An entry for each size of cluster. */
    public static PtxModule build() {
        return PtxModule.build(
                Target.SM_90A,
                m -> clusterSizes()
                        .forEach(size -> m.entry(entry(size), e -> {
                            Param out = e.u64("out");
                            Param stay = e.u64("stay");
                            e.launchBounds(1, 0);
                            e.cluster(size, 1, 1);
                            e.code(b -> {
                                Reg<B64> own = b.madWide(
                                        b.special(SpecialRegister.CTAID_X), Integer.BYTES, b.toGlobal(b.param64(out)));
                                b.st32(GlobalAddress.of(own), b.special(SpecialRegister.SMID));
                                Reg<B64> allowed = b.param64(stay);
                                Reg<B64> start = b.special64(SpecialRegister.GLOBALTIMER);
                                b.loop("stay", (l, loop) -> {
                                    Reg<B64> stayed = l.sub(l.special64(SpecialRegister.GLOBALTIMER), start);
                                    l.ifThen(l.ge(stayed, allowed), t -> t.bra(loop.end()));
                                    l.nanosleep(SLEEP_NS);
                                });
                                b.ret();
                            });
                        })));
    }

    /**
     * As many whole clusters as there are SMs for.
     *
     * @param sms of the device, at least a cluster
     * @param sharedBytes the most dynamic shared memory that a CTA may have on the device, so that each has an SM
     */
    public static OracleLaunch launch(int clusterSize, int sms, int sharedBytes, long out) {
        return new OracleLaunch(
                entry(clusterSize), sms / clusterSize * clusterSize, 1, sharedBytes, List.of(out, STAY_NS));
    }
}
