package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.BarrierState;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** mbarrier and mapa. PTX 9.7.13.15, 9.7.9.23. */
public final class MbarrierOperations {
    private MbarrierOperations() {}

    public static Operation decode(dev.tilewright.ptx.instruction.Mbarrier instruction, Operands operands) {
        return switch (instruction) {
            case dev.tilewright.ptx.instruction.Mbarrier.Init i -> {
                MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
                SourceOperand count = operands.value(i.count());
                yield Lanes.access((strand, lane) -> {
                    Warp warp = strand.warp();
                    int address = place.shared(warp, lane);
                    own(strand, address, "mbarrier.init")
                            .shared()
                            .initialise(Cluster.offset(address), count.word(warp, lane), warp.clusterThread(lane));
                });
            }
            case dev.tilewright.ptx.instruction.Mbarrier.Invalidate i -> {
                MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
                yield Lanes.access((strand, lane) -> {
                    int address = place.shared(strand.warp(), lane);
                    own(strand, address, "mbarrier.inval").shared().invalidate(Cluster.offset(address));
                });
            }
            case dev.tilewright.ptx.instruction.Mbarrier.Arrive i -> {
                MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
                SourceOperand count =
                        i.count().isPresent() ? operands.value(i.count().get()) : SourceOperand.constant(1);
                yield Lanes.access((strand, lane) -> barrier(strand, lane, place, "mbarrier.arrive")
                        .arrive(count.word(strand.warp(), lane), strand.origin()));
            }
            case dev.tilewright.ptx.instruction.Mbarrier.ArriveExpectTx i -> {
                MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
                SourceOperand bytes = operands.value(i.bytes());
                yield Lanes.access((strand, lane) -> {
                    Mbarrier barrier = barrier(strand, lane, place, "mbarrier.arrive.expect_tx");
                    barrier.expect(
                            bytes.word(strand.warp(), lane), strand.origin().evidence());
                    barrier.arrive(1, strand.origin());
                });
            }
            case dev.tilewright.ptx.instruction.Mbarrier.ExpectTx i ->
                transaction(i.barrier(), operands.value(i.bytes()), operands, true);
            case dev.tilewright.ptx.instruction.Mbarrier.CompleteTx i ->
                transaction(i.barrier(), operands.value(i.bytes()), operands, false);
            case dev.tilewright.ptx.instruction.Mbarrier.Wait i -> waiting(i, operands);
            case dev.tilewright.ptx.instruction.Mbarrier.MapToRank i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand address = operands.value(i.address());
                SourceOperand rank = operands.value(i.rank());
                yield Lanes.access((strand, lane) -> {
                    int offset = Cluster.offset(address.word(strand.warp(), lane));
                    d.set(strand.warp(), lane, window(strand, rank.word(strand.warp(), lane), offset));
                });
            }
            case dev.tilewright.ptx.instruction.Mbarrier.FenceInit _ ->
                Lanes.inside((strand, lane) -> {
                    Warp warp = strand.warp();
                    strand.cluster().fences().fenceInit(warp.clusterThread(lane));
                    warp.order().fenceInit(lane);
                });
        };
    }

    /** The window address of an offset in the memory of a CTA of the cluster. */
    static int window(Strand strand, int rank, int offset) {
        int size = strand.cluster().ctas().size();
        if (rank < 0 || rank >= size) {
            throw new HazardFound(new Hazard.BadOperand("mapa: rank " + rank + " in a cluster of " + size + " CTAs"));
        }
        return rank << AddressSpace.RANK_SHIFT | offset;
    }

    private static Operation transaction(Address address, SourceOperand bytes, Operands operands, boolean expect) {
        MemoryOperand place = MemoryOperand.of(address, operands);
        return Lanes.access((strand, lane) -> {
            int count = bytes.word(strand.warp(), lane);
            Mbarrier barrier = barrier(strand, lane, place, expect ? "mbarrier.expect_tx" : "mbarrier.complete_tx");
            barrier.order().count();
            if (expect) {
                barrier.expect(count, strand.origin().evidence());
            } else {
                barrier.complete(count, strand.origin().evidence());
            }
        });
    }

    /** The own CTA, in whose memory the address must lie. */
    static Cta own(Strand strand, int address, String use) {
        if (address >>> AddressSpace.RANK_SHIFT != strand.cta().rank()) {
            throw new HazardFound(new Hazard.OutOfBounds(
                    use + " at shared 0x" + Integer.toHexString(address) + ", not in the own CTA's memory"));
        }
        return strand.cta();
    }

    /** The barrier for a lane; that of another CTA must have been made visible. */
    static Mbarrier barrier(Strand strand, int lane, MemoryOperand place, String use) {
        int address = place.shared(strand.warp(), lane);
        Cta cta = strand.cluster().cta(address, use);
        Mbarrier barrier = cta.shared().barrier(Cluster.offset(address), use);
        if (cta != strand.cta()) {
            barrier.requireVisible(use, strand.cta().id());
        }
        return barrier;
    }

    /** Whether the phase that a lane waits for has ended. */
    @FunctionalInterface
    interface Ended {
        boolean test(Mbarrier barrier, Warp warp, int lane);
    }

    private static Operation waiting(dev.tilewright.ptx.instruction.Mbarrier.Wait i, Operands operands) {
        SourceOperand parity = operands.value(i.parity());
        return waiting(MemoryOperand.of(i.barrier(), operands), operands.predicate(i.d()), (barrier, warp, lane) -> {
            int wanted = parity.word(warp, lane);
            if (wanted != 0 && wanted != 1) {
                throw new HazardFound(new Hazard.BadOperand("a parity is 0 or 1, got " + wanted));
            }
            return barrier.passed(wanted);
        });
    }

    /**
     * A wait whose lanes all wait sleeps until a barrier changes; told to give up, it answers false. A test_wait never
     * blocks, but nothing says how soon its warp runs on, so it may sleep as well. A waiter that finds the barrier two
     * phases on can no longer tell them apart.
     */
    static Operation waiting(MemoryOperand place, int d, Ended ended) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            int passed = 0;
            List<Mbarrier> waited = new ArrayList<>(1);
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                strand.at(lane);
                int address = place.shared(warp, lane);
                Mbarrier barrier = own(strand, address, "a wait").shared().barrier(Cluster.offset(address), "a wait");
                int began = strand.waitedPhase();
                strand.device().barriers().waited(strand.instr().pc, barrier);
                if (began >= 0 && barrier.phase() - began >= 2) {
                    throw new HazardFound(new Hazard.PhaseOverrun(barrier.state(), began));
                }
                if (ended.test(barrier, warp, lane)) {
                    passed |= 1 << lane;
                } else if (!waited.contains(barrier)) {
                    waited.add(barrier);
                }
            }
            if (passed == 0
                    && !strand.takeRelease()
                    && !strand.device().choices().givesUp()) {
                strand.asks(waited);
                if (waited.size() == 1 && strand.waitedPhase() < 0) {
                    strand.waitedPhase(waited.getFirst().phase());
                }
                Runnable waker = strand.waker();
                waited.forEach(barrier -> barrier.whenChanged(waker));
                strand.sleep(() -> waited.stream()
                        .map(barrier -> missing(barrier, strand))
                        .collect(Collectors.joining("; and for ")));
                return Outcome.RETRY;
            }
            strand.waitedPhase(-1);
            if (passed == 0) {
                strand.refused(waited);
            }
            Lanes.setPredicate(warp, d, mask, passed);
            return Outcome.NEXT;
        };
    }

    /** What a waiter waits for, and where arrivals are missing, what could bring them. */
    private static String missing(Mbarrier barrier, Strand strand) {
        BarrierState state = barrier.state();
        return state.current() + ": " + state.needs()
                + (state.pending() == 0
                        ? ""
                        : "; " + strand.program().arrivals().at(state.name()));
    }
}
