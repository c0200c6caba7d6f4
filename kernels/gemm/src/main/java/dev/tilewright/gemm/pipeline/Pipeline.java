package dev.tilewright.gemm.pipeline;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;

/**
 * A ring of slots with a full and an empty barrier each.
 *
 * <pre>
 *   producer                      consumer
 *   wait empty (parity 1 first)   wait full (parity 0 first)
 *   fill, arrive on full          read, arrive on empty
 *   next slot                     next slot
 * </pre>
 *
 * A fresh barrier is in phase 0: waiting for parity 1 passes at once, so the producer finds all slots free. Both sides
 * flip their parity when they wrap.
 *
 * @param name in the text: of its barriers and of the registers of its roles
 * @param slots number of slots
 * @param fullArrivals arrivals that make a slot full, besides the bytes announced
 * @param emptyArrivals arrivals that make a slot free
 */
public record Pipeline(
        String name, SharedRegion full, SharedRegion empty, int slots, int fullArrivals, int emptyArrivals) {

    /** Declares the barriers of a ring. */
    public static Pipeline declare(EntryBuilder entry, String name, int slots, int fullArrivals, int emptyArrivals) {
        return new Pipeline(
                name,
                entry.barriers(name + "Full", slots),
                entry.barriers(name + "Empty", slots),
                slots,
                fullArrivals,
                emptyArrivals);
    }

    /** Initialises all barriers; one thread. */
    public void initialize(CodeBuilder b) {
        for (int slot = 0; slot < slots; slot++) {
            b.mbarrierInit(full.barrier(b, slot), fullArrivals);
            b.mbarrierInit(empty.barrier(b, slot), emptyArrivals);
        }
    }

    /** Begin of a producer. */
    public PipelineState producerState(CodeBuilder b) {
        return producerState(b, name);
    }

    /**
     * Begin of a producer whose block has a consumer of the pipeline too: the name of its registers tells them apart.
     */
    public PipelineState producerState(CodeBuilder b, String registers) {
        return PipelineState.start(b, registers, slots, 1);
    }

    /** Begin of a consumer. */
    public PipelineState consumerState(CodeBuilder b) {
        return PipelineState.start(b, name, slots, 0);
    }

    /** The full barrier of the state's slot. */
    public SharedAddress fullBarrier(CodeBuilder b, PipelineState state) {
        return full.at(b, slotOffset(b, state));
    }

    /** The empty barrier of the state's slot. */
    public SharedAddress emptyBarrier(CodeBuilder b, PipelineState state) {
        return empty.at(b, slotOffset(b, state));
    }

    private static Reg<B32> slotOffset(CodeBuilder b, PipelineState state) {
        return b.shl(state.slot(), 3);
    }

    /** Waits until the slot is free and returns its full barrier, at which the producer announces what it fills in. */
    public SharedAddress producerAcquire(CodeBuilder b, Ordering ordering, PipelineState state) {
        SharedAddress barrier = fullBarrier(b, state);
        awaitEmpty(b, ordering, barrier, state.parity());
        return barrier;
    }

    /** Waits until the slot's data are there. */
    public void consumerWait(CodeBuilder b, Ordering ordering, PipelineState state) {
        awaitFull(b, ordering, fullBarrier(b, state), state.parity());
    }

    /**
     * Looks whether the slot's data are there, so that the answer comes while something else is done.
     *
     * @param there the answer
     */
    public void consumerLook(CodeBuilder b, PipelineState state, Reg<Pred> there) {
        b.mbarrierTestWait(there, fullBarrier(b, state), state.parity());
    }

    /**
     * Waits until the slot's data are there, unless they were. The lanes of a warp need not have seen the same.
     *
     * @param there the answer of {@link #consumerLook} for the same slot
     */
    public void consumerWait(CodeBuilder b, Ordering ordering, PipelineState state, Reg<Pred> there) {
        b.ifNot(there, absent -> consumerWait(absent, ordering, state));
    }

    /** Waits until a slot is free, given its full barrier. */
    public void awaitEmpty(CodeBuilder b, Ordering ordering, SharedAddress barrier, Operand<B32> parity) {
        b.comment("wait until the " + name + " slot is free");
        b.waitParity(ordering, barrier.plus(empty.offset() - full.offset()), parity);
    }

    /** Waits until a slot is full, given its full barrier. */
    public void awaitFull(CodeBuilder b, Ordering ordering, SharedAddress barrier, Operand<B32> parity) {
        b.comment("wait until the " + name + " slot is full");
        b.waitParity(ordering, barrier, parity);
    }
}
