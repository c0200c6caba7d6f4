package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Origin;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.order.CommitOrder;
import dev.tilewright.emulator.order.TensorAccess;
import dev.tilewright.emulator.order.TensorOrder;
import dev.tilewright.emulator.tensor.InstructionDescriptor;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.CopyShape;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What single threads give to the tensor cores. PTX 9.7.16.5. */
public final class Issue {
    /** Bits of an instruction descriptor that say M and N. */
    private static final int SHAPE = 0x1F7E0000;

    private Issue() {}

    /**
     * tcgen05.mma by the lane at which the strand is.
     *
     * @param d address of D
     * @param a descriptor of A, or its address
     * @param tensorA whether A lies in tensor memory
     * @param b descriptor of B
     * @param descriptor of the instruction
     * @param disabled lanes of D that stay as they are
     */
    public static void multiply(
            Strand strand,
            CtaGroup group,
            Kind kind,
            int d,
            long a,
            boolean tensorA,
            long b,
            int descriptor,
            DisabledLanes disabled,
            boolean accumulate) {
        InstructionDescriptor.refusal(kind, group, descriptor).ifPresent(rule -> {
            throw new HazardFound(new Hazard.BadDescriptor("of the instruction", descriptor & 0xFFFFFFFFL, rule));
        });
        TensorUnit unit = strand.cta().tensorUnit();
        unit.cores().requireGroup(group);
        Origin origin = strand.origin();
        long pipeline = (long) (descriptor & SHAPE | kind.ordinal()) << 32 | d & 0xFFFFFFFFL;
        TensorAccess access = order(strand).multiply(strand.lane(), origin.manner(), origin.evidence(), pipeline);
        unit.pipe(group)
                .add(new MultiplyWork(
                        origin,
                        group,
                        InstructionDescriptor.decode(kind, descriptor),
                        unit.group(group, "tcgen05.mma"),
                        d,
                        tensorA ? new MultiplyWork.OperandA.Tensor((int) a) : new MultiplyWork.OperandA.Shared(a),
                        b,
                        disabled,
                        accumulate,
                        access,
                        strand));
    }

    private static TensorOrder order(Strand strand) {
        return strand.warp().order().tensor();
    }

    /** What a shape of tcgen05.cp covers; empty for those whose layout the machine does not know. */
    public static boolean knows(CopyShape shape) {
        return extent(shape).isPresent();
    }

    private static Optional<CopyWork.Extent> extent(CopyShape shape) {
        return switch (shape) {
            case L128_B256 -> Optional.of(new CopyWork.Extent(128, 2));
            case L128_B128 -> Optional.of(new CopyWork.Extent(128, 1));
            case L32_B128_ALL -> Optional.of(new CopyWork.Extent(32, 1));
            case L4_B256, L64_B128_PAIRS_02_13, L64_B128_PAIRS_01_23 -> Optional.empty();
        };
    }

    /** tcgen05.cp by the lane at which the strand is. */
    public static void copy(Strand strand, CtaGroup group, CopyShape shape, int address, long source) {
        TensorUnit unit = strand.cta().tensorUnit();
        unit.cores().requireGroup(group);
        Origin origin = strand.origin();
        TensorAccess access = order(strand).copy(strand.lane(), origin.manner(), origin.evidence());
        unit.pipe(group)
                .add(new CopyWork(
                        origin,
                        group,
                        unit.group(group, "tcgen05.cp"),
                        extent(shape).orElseThrow(),
                        address,
                        source,
                        access,
                        strand));
    }

    /**
     * tcgen05.commit by the lane at which the strand is.
     *
     * @param address of the barrier, in the shared window
     * @param mask of the CTAs at whose barriers it arrives; absent: at that of the address
     */
    public static void commit(Strand strand, CtaGroup group, int address, Optional<Integer> mask) {
        TensorUnit unit = strand.cta().tensorUnit();
        unit.cores().requireGroup(group);
        Cluster cluster = strand.cluster();
        Origin origin = strand.origin();
        CommitOrder tracked = order(strand).issued(strand.lane(), origin.manner(), origin.evidence());
        List<CommitArrival> arrivals = new ArrayList<>();
        if (mask.isEmpty()) {
            arrivals.add(arrival(strand, cluster.cta(address, "tcgen05.commit"), address, tracked));
        } else {
            int ranks = mask.get();
            if (ranks == 0 || ranks >>> cluster.ctas().size() != 0) {
                throw new HazardFound(new Hazard.BadOperand("multicast mask 0x" + Integer.toHexString(ranks)
                        + " in a cluster of " + cluster.ctas().size() + " CTAs"));
            }
            for (Cta cta : cluster.ctas()) {
                if ((ranks >>> cta.rank() & 1) != 0) {
                    arrivals.add(
                            arrival(strand, cluster.cta(cta.place().window(0), "tcgen05.commit"), address, tracked));
                }
            }
        }
        unit.pipe(group).add(new CommitWork(origin, group, arrivals));
    }

    private static CommitArrival arrival(Strand strand, Cta cta, int address, CommitOrder tracked) {
        Mbarrier barrier = cta.shared().barrier(Cluster.offset(address), "tcgen05.commit");
        if (cta != strand.cta()) {
            barrier.requireVisible("tcgen05.commit", strand.cta().id());
        }
        return new CommitArrival(strand.origin(), cta.tensorUnit(), barrier, tracked);
    }
}
