package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.StateBarrier;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.Optional;

/**
 * mbarrier by states, and addresses of the cluster. A state is opaque to kernels; here it holds the pending arrivals in
 * bits 0-19, the phase in bits 20-39 and the barrier's place from bit 40 on. PTX 9.7.13.15, 9.7.9.23, 9.7.9.24.
 */
public final class StateBarrierOperations {
    private static final int PHASE_SHIFT = 20;
    private static final int PLACE_SHIFT = 40;
    private static final int FIELD = (1 << 20) - 1;

    private StateBarrierOperations() {}

    public static Operation decode(StateBarrier instruction, Operands operands) {
        return switch (instruction) {
            case StateBarrier.Arrive i -> arrive(i, operands);
            case StateBarrier.ArriveExpectTx i -> arriveExpectTx(i, operands);
            case StateBarrier.Wait i -> await(i, operands);
            case StateBarrier.PendingCount i -> {
                SourceOperand state = operands.value(i.state());
                yield Lanes.unary(operands.target(i.d()), state, bits -> bits & FIELD);
            }
            case StateBarrier.MapGenericToRank i -> mapGenericToRank(i, operands);
            case StateBarrier.RankOf i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand address = operands.value(i.address());
                yield Lanes.access((strand, lane) -> {
                    long at = address.get(strand.warp(), lane);
                    int window = i.generic() ? shared("getctarank", at) : (int) at;
                    strand.cluster().cta(window, "getctarank");
                    d.set(strand.warp(), lane, window >>> AddressSpace.RANK_SHIFT);
                });
            }
        };
    }

    /** The state of a barrier at this window address, as it is now. */
    private static long state(Mbarrier barrier, int address) {
        return (long) Cluster.offset(address) << PLACE_SHIFT
                | (long) (barrier.phase() & FIELD) << PHASE_SHIFT
                | barrier.pending();
    }

    /** Gives the state before the action where a register takes it; only the own CTA's barriers give one. */
    private static void keepState(
            Strand strand, int lane, Optional<DestinationOperand> d, Mbarrier barrier, int address) {
        if (d.isPresent()) {
            MbarrierOperations.own(strand, address, "an arrival that gives a state");
            d.get().set(strand.warp(), lane, state(barrier, address));
        }
    }

    private static Operation arrive(StateBarrier.Arrive i, Operands operands) {
        MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
        SourceOperand count = i.count()
                .<SourceOperand>map((Operand<?> c) -> operands.value(c))
                .orElse(SourceOperand.constant(1));
        Optional<DestinationOperand> d = i.state().map((Reg<?> r) -> operands.target(r));
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            Mbarrier barrier = MbarrierOperations.barrier(strand, lane, place, "mbarrier.arrive");
            keepState(strand, lane, d, barrier, place.shared(warp, lane));
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

    private static Operation arriveExpectTx(StateBarrier.ArriveExpectTx i, Operands operands) {
        MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        Optional<DestinationOperand> d = i.state().map((Reg<?> r) -> operands.target(r));
        return Lanes.access((strand, lane) -> {
            Mbarrier barrier = MbarrierOperations.barrier(strand, lane, place, "mbarrier.arrive.expect_tx");
            keepState(strand, lane, d, barrier, place.shared(strand.warp(), lane));
            barrier.expect(bytes.word(strand.warp(), lane), strand.origin().evidence());
            if (i.drop()) {
                barrier.arriveAndDrop(1, strand.origin());
            } else {
                barrier.arrive(1, strand.origin());
            }
        });
    }

    private static Operation await(StateBarrier.Wait i, Operands operands) {
        MemoryOperand place = MemoryOperand.of(i.barrier(), operands);
        SourceOperand state = operands.value(i.state());
        return MbarrierOperations.waiting(place, operands.predicate(i.d()), (barrier, warp, lane) -> {
            long bits = state.get(warp, lane);
            if (bits >>> PLACE_SHIFT != Cluster.offset(place.shared(warp, lane))) {
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

    private static int shared(String use, long generic) {
        if (!AddressSpace.isShared(generic)) {
            throw new HazardFound(new Hazard.BadOperand(
                    use + " of generic address 0x" + Long.toHexString(generic) + ", not in shared memory"));
        }
        return (int) (generic - AddressSpace.SHARED);
    }

    private static Operation mapGenericToRank(StateBarrier.MapGenericToRank i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        SourceOperand address = operands.value(i.address());
        SourceOperand rank = operands.value(i.rank());
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int offset = Cluster.offset(shared("mapa", address.get(warp, lane)));
            int window = MbarrierOperations.window(strand, rank.word(warp, lane), offset);
            d.set(warp, lane, AddressSpace.SHARED + window);
        });
    }
}
