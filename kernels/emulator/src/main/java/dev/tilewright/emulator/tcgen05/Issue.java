package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.order.CommitOrder;
import dev.tilewright.emulator.order.TensorAccess;
import dev.tilewright.emulator.order.TensorOrder;
import dev.tilewright.emulator.tensor.InstructionDescriptor;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.CopyShape;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import java.util.List;
import java.util.Optional;

/** Issues the tcgen05 work of single threads to the tensor cores. PTX 9.7.16.5. */
public final class Issue {
    /** Bits of an instruction descriptor that say M and N. */
    private static final int SHAPE = 0x1F7E0000;

    private Issue() {}

    /**
     * tcgen05.mma by one lane.
     *
     * @param d address of D
     * @param a descriptor of A, or its address
     * @param tensorA whether A lies in tensor memory
     * @param b descriptor of B
     * @param descriptor of the instruction
     * @param disabled lanes of D that stay as they are
     */
    public static void multiply(
            Issuer issuer,
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
        TensorUnit unit = issuer.tensorUnit();
        unit.cores().requireGroup(group);
        Origin origin = issuer.origin();
        long pipeline = (long) (descriptor & SHAPE | kind.ordinal()) << 32 | d & 0xFFFFFFFFL;
        TensorAccess access = order(issuer).multiply(issuer.lane(), origin.manner(), origin.evidence(), pipeline);
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
                        issuer));
    }

    private static TensorOrder order(Issuer issuer) {
        return issuer.warp().order().tensor();
    }

    /** The extent of a shape of tcgen05.cp; empty for a shape whose layout is not emulated. */
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

    /** tcgen05.cp by one lane. */
    public static void copy(Issuer issuer, CtaGroup group, CopyShape shape, int address, long source) {
        TensorUnit unit = issuer.tensorUnit();
        unit.cores().requireGroup(group);
        Origin origin = issuer.origin();
        TensorAccess access = order(issuer).copy(issuer.lane(), origin.manner(), origin.evidence());
        unit.pipe(group)
                .add(new CopyWork(
                        origin,
                        group,
                        unit.group(group, "tcgen05.cp"),
                        extent(shape).orElseThrow(),
                        address,
                        source,
                        access,
                        issuer));
    }

    /**
     * The barrier at which a commit arrives.
     *
     * @param unit of the CTA in whose shared memory the barrier lies
     */
    public record CommitTarget(TensorUnit unit, Mbarrier barrier) {}

    /** tcgen05.commit by one lane. */
    public static void commit(Issuer issuer, CtaGroup group, List<CommitTarget> targets) {
        TensorUnit unit = issuer.tensorUnit();
        unit.cores().requireGroup(group);
        Origin origin = issuer.origin();
        CommitOrder tracked = order(issuer).issued(issuer.lane(), origin.manner(), origin.evidence());
        List<CommitArrival> arrivals = targets.stream()
                .map(target -> new CommitArrival(origin, target.unit(), target.barrier(), tracked))
                .toList();
        unit.pipe(group).add(new CommitWork(origin, group, arrivals));
    }
}
