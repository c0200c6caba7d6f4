package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.Optional;

/**
 * Where one role stands in the ring of accumulators: registers of that role. There is no more of it than is needed: one
 * accumulator has no slot to count, and one that is filled once has no phase and is never waited for to be empty.
 *
 * @param ring the slot and its parity, if there are several
 * @param parity of the phase it waits for next
 */
public record AccumulatorCursor(AccumulatorSlots slots, Optional<PipelineState> ring, Operand<B32> parity) {

    static AccumulatorCursor start(CodeBuilder b, AccumulatorSlots slots, boolean fills) {
        Pipeline pipeline = slots.pipeline();
        int first = fills ? 1 : 0;
        if (!slots.refilled()) {
            return new AccumulatorCursor(slots, Optional.empty(), Immediate.b32(first));
        }
        if (pipeline.slots() == 1) {
            Reg<B32> parity = b.b32(pipeline.name() + "Parity");
            b.mov(parity, first);
            return new AccumulatorCursor(slots, Optional.empty(), parity);
        }
        PipelineState ring = fills ? pipeline.producerState(b) : pipeline.consumerState(b);
        return new AccumulatorCursor(slots, Optional.of(ring), ring.parity());
    }

    /** Waits until the slot may be filled, and returns its full barrier. */
    public SharedAddress acquire(CodeBuilder b) {
        SharedAddress full = full(b);
        if (slots.refilled()) {
            slots.pipeline().awaitEmpty(b, slots.await(), full, parity);
        }
        return full;
    }

    /** Waits until the slot is full. */
    public void await(CodeBuilder b) {
        slots.pipeline().awaitFull(b, slots.await(), full(b), parity);
    }

    private SharedAddress full(CodeBuilder b) {
        Pipeline pipeline = slots.pipeline();
        return ring.map(state -> pipeline.fullBarrier(b, state))
                .orElseGet(() -> pipeline.full().barrier(b, 0));
    }

    /** The slot's empty barrier. */
    public SharedAddress empty(CodeBuilder b) {
        Pipeline pipeline = slots.pipeline();
        return ring.map(state -> pipeline.emptyBarrier(b, state))
                .orElseGet(() -> pipeline.empty().barrier(b, 0));
    }

    /**
     * The slot's empty barrier, as an offset from the first.
     *
     * @param first where the first one lies
     */
    public Reg<B32> empty(CodeBuilder b, Reg<B32> first) {
        return ring.map(state -> b.add(b.shl(state.slot(), 3), first)).orElse(first);
    }

    /**
     * First column of the slot.
     *
     * @param tensorBase first column of all, in the lanes that are meant
     */
    public Reg<B32> columns(CodeBuilder b, Reg<B32> tensorBase) {
        return ring.map(state -> b.mad(state.slot(), Immediate.b32(slots.tileN()), tensorBase))
                .orElse(tensorBase);
    }

    /** Goes to the next slot. */
    public void advance(CodeBuilder b) {
        if (ring.isPresent()) {
            ring.get().advance(b);
        } else if (parity instanceof Reg<B32> phase) {
            b.xor(phase, phase, Immediate.b32(1));
        }
    }
}
