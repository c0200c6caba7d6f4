package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.launch.CancelAnswer;
import dev.tilewright.emulator.machine.Cancellation;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Barrier.RestrictedFence;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.Dimension;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.Sem;
import java.util.List;

/** Cluster launch control, and the fences between a reader of an answer and who asks next. PTX 9.7.13.17, .18, .4. */
public final class LaunchControlOperations {
    private LaunchControlOperations() {}

    public static Operation decode(ClusterLaunchControl instruction, Operands operands) {
        return switch (instruction) {
            case ClusterLaunchControl.TryCancel i -> tryCancel(i, operands);
            case ClusterLaunchControl.IsCanceled i -> {
                int d = operands.predicate(i.d());
                SourceOperand answer = operands.value(i.answer());
                yield Lanes.access((strand, lane) -> {
                    Warp warp = strand.warp();
                    boolean canceled = answer(answer, warp, lane).isCanceled();
                    if (!canceled) {
                        strand.cta().launchControl().failed(strand, strand.site());
                    }
                    Lanes.setPredicate(warp, d, 1 << lane, canceled ? -1 : 0);
                });
            }
            case ClusterLaunchControl.FirstCta i -> {
                DestinationOperand d = operands.target(i.d());
                Dimension dimension = i.dimension();
                yield coordinates(
                        i.answer(),
                        operands,
                        (warp, lane, first) -> d.set(
                                warp,
                                lane,
                                switch (dimension) {
                                    case X -> first.x();
                                    case Y -> first.y();
                                    case Z -> first.z();
                                }));
            }
            case ClusterLaunchControl.FirstCtaVector i -> {
                DestinationOperand x = operands.target(i.x());
                DestinationOperand y = operands.target(i.y());
                DestinationOperand z = operands.target(i.z());
                yield coordinates(i.answer(), operands, (warp, lane, first) -> {
                    x.set(warp, lane, first.x());
                    y.set(warp, lane, first.y());
                    z.set(warp, lane, first.z());
                });
            }
        };
    }

    /** Receives the answer of a lane. */
    @FunctionalInterface
    private interface Use {
        void of(Warp warp, int lane, CancelAnswer first);
    }

    private static Operation coordinates(Reg<B128> register, Operands operands, Use use) {
        SourceOperand value = operands.value(register);
        return Lanes.access((strand, lane) -> {
            CancelAnswer answer = answer(value, strand.warp(), lane);
            if (!answer.isCanceled()) {
                throw new HazardFound(new Hazard.LaunchControlMisuse(
                        "the first CTA of an answer that says no cluster was cancelled", List.of()));
            }
            use.of(strand.warp(), lane, answer);
        });
    }

    private static CancelAnswer answer(SourceOperand value, Warp warp, int lane) {
        return CancelAnswer.of(value.get(warp, lane), value.high(warp, lane));
    }

    private static Operation tryCancel(ClusterLaunchControl.TryCancel i, Operands operands) {
        MemoryOperand answer = MemoryOperand.of(i.answer(), operands);
        MemoryOperand barrier = MemoryOperand.of(i.barrier(), operands);
        return Lanes.access((strand, lane) -> {
            int to = own(strand, answer, lane, CancelAnswer.BYTES);
            int counting = own(strand, barrier, lane, 8);
            strand.cta()
                    .launchControl()
                    .requireMayAsk(
                            strand,
                            strand.cta().id(),
                            strand.cta()
                                    .shared()
                                    .barrier(counting, "clusterlaunchcontrol.try_cancel")
                                    .state());
            strand.device()
                    .async()
                    .add(new Cancellation(
                            strand.origin(),
                            strand.cluster(),
                            strand.device(),
                            receivers(strand, i.multicast()),
                            to,
                            counting));
        });
    }

    /** The CTAs that a request is answered to: all must live. */
    private static List<Cta> receivers(Strand strand, boolean multicast) {
        if (!multicast) {
            return List.of(strand.cta());
        }
        List<Cta> ctas = strand.cluster().ctas();
        for (Cta cta : ctas) {
            if (cta.threads() == 0) {
                throw new HazardFound(
                        new Hazard.ExitedCta("clusterlaunchcontrol.try_cancel.multicast::cluster::all", cta.id()));
            }
        }
        return ctas;
    }

    private static int own(Strand strand, MemoryOperand operand, int lane, int alignment) {
        int address = operand.shared(strand.warp(), lane);
        MemoryOperand.requireAligned("an operand of try_cancel", address & 0xFFFFFFFFL, alignment);
        MbarrierOperations.own(strand, address, "clusterlaunchcontrol.try_cancel");
        return Cluster.offset(address);
    }

    /**
     * A fence between the proxies, for shared memory and cluster scope alone. Without a proxy it is a fence of threads,
     * which orders more than it has to.
     */
    public static Operation decode(RestrictedFence fence) {
        if (!fence.async()) {
            return BarrierOperations.threadFence(fence.sem(), fence.scope());
        }
        return (strand, mask) -> {
            if (fence.sem() == Sem.RELEASE) {
                strand.warp().order().answers().release(mask);
            } else {
                strand.warp().order().answers().acquire(mask);
            }
            return Outcome.NEXT;
        };
    }
}
