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
import dev.tilewright.ptx.instruction.Mbarrier.Arrive;
import dev.tilewright.ptx.instruction.Mbarrier.ArriveExpectTx;
import dev.tilewright.ptx.instruction.Mbarrier.CompleteTx;
import dev.tilewright.ptx.instruction.Mbarrier.ExpectTx;
import dev.tilewright.ptx.instruction.Mbarrier.FenceInit;
import dev.tilewright.ptx.instruction.Mbarrier.Init;
import dev.tilewright.ptx.instruction.Mbarrier.Invalidate;
import dev.tilewright.ptx.instruction.Mbarrier.MapToRank;
import dev.tilewright.ptx.instruction.Mbarrier.PendingCount;
import dev.tilewright.ptx.instruction.Mbarrier.Phase;
import dev.tilewright.ptx.instruction.Mbarrier.RankOf;
import dev.tilewright.ptx.instruction.Mbarrier.Wait;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * mbarrier, mapa and getctarank. A state is opaque to kernels; here it holds the pending arrivals in bits 0-19, the
 * phase in bits 20-39 and the offset of the barrier from bit 40 on. PTX 9.7.13.15, 9.7.9.23, 9.7.9.24.
 */
public final class MbarrierOperations {
    private static final int PHASE_SHIFT = 20;
    private static final int OFFSET_SHIFT = 40;
    private static final int FIELD = (1 << 20) - 1;

    private MbarrierOperations() {}

    public static Operation decode(dev.tilewright.ptx.instruction.Mbarrier instruction, Operands operands) {
        return switch (instruction) {
            case Init i -> {
                MemoryOperand operand = MemoryOperand.of(i.barrier(), operands);
                SourceOperand count = operands.value(i.count());
                yield Lanes.access((strand, lane) -> {
                    Warp warp = strand.warp();
                    int address = operand.shared(warp, lane);
                    own(strand, address, "mbarrier.init")
                            .shared()
                            .initialise(Cluster.offset(address), count.word(warp, lane), warp.clusterThread(lane));
                });
            }
            case Invalidate i -> {
                MemoryOperand operand = MemoryOperand.of(i.barrier(), operands);
                yield Lanes.access((strand, lane) -> {
                    int address = operand.shared(strand.warp(), lane);
                    own(strand, address, "mbarrier.inval").shared().invalidate(Cluster.offset(address));
                });
            }
            case Arrive i -> arrive(i, operands);
            case ArriveExpectTx i -> arriveExpectTx(i, operands);
            case ExpectTx i -> transaction(i.barrier(), operands.value(i.bytes()), operands, true);
            case CompleteTx i -> transaction(i.barrier(), operands.value(i.bytes()), operands, false);
            case Wait i -> waiting(i, operands);
            case PendingCount i -> {
                SourceOperand state = operands.value(i.state());
                yield Lanes.unary(operands.target(i.d()), state, bits -> bits & FIELD);
            }
            case MapToRank i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand address = operands.value(i.address());
                SourceOperand rank = operands.value(i.rank());
                yield Lanes.access((strand, lane) -> {
                    Warp warp = strand.warp();
                    int offset = Cluster.offset(shared(i.generic(), "mapa", address.get(warp, lane)));
                    int window = window(strand, rank.word(warp, lane), offset);
                    d.set(warp, lane, i.generic() ? AddressSpace.SHARED + window : window);
                });
            }
            case RankOf i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand address = operands.value(i.address());
                yield Lanes.access((strand, lane) -> {
                    int window = shared(i.generic(), "getctarank", address.get(strand.warp(), lane));
                    strand.cluster().cta(window, "getctarank");
                    d.set(strand.warp(), lane, window >>> AddressSpace.RANK_SHIFT);
                });
            }
            case FenceInit _ ->
                Lanes.inside((strand, lane) -> {
                    Warp warp = strand.warp();
                    strand.cluster().fences().fenceInit(warp.clusterThread(lane));
                    warp.order().fenceInit(lane);
                });
        };
    }

    /** The state of a barrier at this window address, as it is now. */
    private static long state(Mbarrier barrier, int address) {
        return (long) Cluster.offset(address) << OFFSET_SHIFT
                | (long) (barrier.phase() & FIELD) << PHASE_SHIFT
                | barrier.pending();
    }

    /** Gives the state before the action where a register takes it; only the own CTA's barriers give one. */
    private static void keepState(
            Strand strand, int lane, Optional<DestinationOperand> d, Mbarrier barrier, int address) {
        if (d.isPresent()) {
            own(strand, address, "an arrival that gives a state");
            d.get().set(strand.warp(), lane, state(barrier, address));
        }
    }

    private static Operation arrive(Arrive i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.barrier(), operands);
        SourceOperand count = i.count()
                .<SourceOperand>map((Operand<?> c) -> operands.value(c))
                .orElse(SourceOperand.constant(1));
        Optional<DestinationOperand> d = i.state().map((Reg<?> r) -> operands.target(r));
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            Mbarrier barrier = barrier(strand, lane, operand, "mbarrier.arrive");
            keepState(strand, lane, d, barrier, operand.shared(warp, lane));
            int phase = barrier.phase();
            if (i.drop()) {
                barrier.arriveAndDrop(count.word(warp, lane), strand.origin());
            } else {
                barrier.arrive(count.word(warp, lane), strand.origin());
            }
            if (i.noComplete() && barrier.phase() != phase) {
                throw new HazardFound(new Hazard.BarrierMisuse(
                        barrier.state().toString(), "an arrival with .noComplete completed phase " + phase));
            }
        });
    }

    private static Operation arriveExpectTx(ArriveExpectTx i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.barrier(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        Optional<DestinationOperand> d = i.state().map((Reg<?> r) -> operands.target(r));
        return Lanes.access((strand, lane) -> {
            Mbarrier barrier = barrier(strand, lane, operand, "mbarrier.arrive.expect_tx");
            keepState(strand, lane, d, barrier, operand.shared(strand.warp(), lane));
            barrier.expect(bytes.word(strand.warp(), lane), strand.origin().evidence());
            if (i.drop()) {
                barrier.arriveAndDrop(1, strand.origin());
            } else {
                barrier.arrive(1, strand.origin());
            }
        });
    }

    /** An address in shared memory; a generic one must lie there. */
    private static int shared(boolean generic, String use, long address) {
        if (generic && !AddressSpace.isShared(address)) {
            throw new HazardFound(new Hazard.BadOperand(
                    use + " of generic address 0x" + Long.toHexString(address) + ", not in shared memory"));
        }
        return (int) (generic ? address - AddressSpace.SHARED : address);
    }

    /** The window address of an offset in the memory of a CTA of the cluster. */
    private static int window(Strand strand, int rank, int offset) {
        int size = strand.cluster().ctas().size();
        if (rank < 0 || rank >= size) {
            throw new HazardFound(new Hazard.BadOperand("mapa: rank " + rank + " in a cluster of " + size + " CTAs"));
        }
        return rank << AddressSpace.RANK_SHIFT | offset;
    }

    private static Operation transaction(Address address, SourceOperand bytes, Operands operands, boolean expect) {
        MemoryOperand operand = MemoryOperand.of(address, operands);
        return Lanes.access((strand, lane) -> {
            int count = bytes.word(strand.warp(), lane);
            Mbarrier barrier = barrier(strand, lane, operand, expect ? "mbarrier.expect_tx" : "mbarrier.complete_tx");
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
    static Mbarrier barrier(Strand strand, int lane, MemoryOperand operand, String use) {
        int address = operand.shared(strand.warp(), lane);
        Cta cta = strand.cluster().cta(address, use);
        Mbarrier barrier = cta.shared().barrier(Cluster.offset(address), use);
        if (cta != strand.cta()) {
            barrier.requireVisible(use, strand.cta().id());
        }
        return barrier;
    }

    /** Whether the phase that a lane waits for has ended. */
    @FunctionalInterface
    private interface Ended {
        boolean test(Mbarrier barrier, Warp warp, int lane);
    }

    private static Operation waiting(Wait i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.barrier(), operands);
        int d = operands.predicate(i.d());
        return switch (i.phase()) {
            case Phase.Parity phase -> {
                SourceOperand parity = operands.value(phase.parity());
                yield waiting(operand, d, (barrier, warp, lane) -> {
                    int wanted = parity.word(warp, lane);
                    if (wanted != 0 && wanted != 1) {
                        throw new HazardFound(new Hazard.BadOperand("a parity is 0 or 1, got " + wanted));
                    }
                    return barrier.passed(wanted);
                });
            }
            case Phase.State phase -> {
                SourceOperand state = operands.value(phase.state());
                yield waiting(operand, d, (barrier, warp, lane) -> {
                    long bits = state.get(warp, lane);
                    if (bits >>> OFFSET_SHIFT != Cluster.offset(operand.shared(warp, lane))) {
                        throw new HazardFound(new Hazard.BarrierMisuse(
                                barrier.state().toString(),
                                "waits for a state 0x" + Long.toHexString(bits) + " that no arrival at it gave"));
                    }
                    // Phases count modulo the field; only the current and the one before may be asked for.
                    int behind = barrier.phase() - (int) (bits >>> PHASE_SHIFT) & FIELD;
                    if (behind > 1) {
                        throw new HazardFound(new Hazard.PhaseOverrun(barrier.state(), barrier.phase() - behind));
                    }
                    return barrier.ended(barrier.phase() - behind);
                });
            }
        };
    }

    /**
     * A wait whose lanes all wait sleeps until a barrier changes; told to give up, it answers false. A test_wait never
     * blocks, but nothing says how soon its warp runs on, so it may sleep as well. A waiter that finds the barrier two
     * phases on can no longer tell them apart.
     */
    private static Operation waiting(MemoryOperand operand, int d, Ended ended) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            int passed = 0;
            List<Mbarrier> waited = new ArrayList<>(1);
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                strand.at(lane);
                int address = operand.shared(warp, lane);
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

    /** Names the barrier that a waiter waits for, and the instructions that could make its missing arrivals. */
    private static String missing(Mbarrier barrier, Strand strand) {
        BarrierState state = barrier.state();
        return state.current() + ": " + state.needs()
                + (state.pending() == 0
                        ? ""
                        : "; " + strand.program().arrivals().at(state.name()));
    }
}
