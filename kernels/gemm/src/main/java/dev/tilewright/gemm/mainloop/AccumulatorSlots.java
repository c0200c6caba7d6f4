package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Scope;

/**
 * The ring of accumulators in tensor memory, each {@code tileN} columns of all 128 lanes. The thread that multiplies
 * fills a slot, the epilogue reads it and hands it back. In a pair each CTA holds its own rows; both are told when they
 * are full, and both tell the leader when they are empty.
 *
 * @param address where the allocation writes the address of the first column
 * @param columns allocated ones, a power of two
 * @param refilled whether a slot takes more than one tile; not in a kernel whose CTAs have one tile
 */
public record AccumulatorSlots(
        Pipeline pipeline, SharedRegion address, int tileN, int columns, CtaGroup group, boolean refilled) {

    private static final int ADDRESS_BYTES = 16;

    /** @param emptyArrivals arrivals of one CTA that hand a slot back */
    public static AccumulatorSlots declare(
            EntryBuilder entry,
            int slots,
            int tileN,
            int columns,
            CtaGroup group,
            int emptyArrivals,
            boolean refilled) {
        return new AccumulatorSlots(
                Pipeline.declare(entry, "accumulator", slots, 1, emptyArrivals * group.ctas()),
                entry.shared("tensorAddress", ADDRESS_BYTES, ADDRESS_BYTES),
                tileN,
                columns,
                group,
                refilled);
    }

    /** Initialises the barriers that are used; one thread. */
    public void initializeBarriers(CodeBuilder b) {
        if (refilled) {
            pipeline.initialize(b);
        } else {
            b.mbarrierInit(pipeline.full().barrier(b, 0), pipeline.fullArrivals());
        }
    }

    /** One warp of each CTA: allocates; all threads may read the address once they have met. */
    public void allocate(CodeBuilder b) {
        b.tensorAllocate(group, address.at(b, 0), columns);
        b.tensorRelinquish(group);
    }

    /** The address of the first column. */
    public Reg<B32> tensorBase(CodeBuilder b) {
        return b.ld32(address.at(b, 0));
    }

    /** One warp of each CTA, when nobody reads or writes tensor memory any more. */
    public void deallocate(CodeBuilder b, Reg<B32> tensorBase) {
        b.tensorDeallocate(group, tensorBase, columns);
    }

    /** Begin of the thread that fills them. */
    public AccumulatorCursor filling(CodeBuilder b) {
        return AccumulatorCursor.start(b, this, true);
    }

    /** Begin of a thread that reads them. */
    public AccumulatorCursor reading(CodeBuilder b) {
        return AccumulatorCursor.start(b, this, false);
    }

    /**
     * How accumulators are waited for. What is handed over is tcgen05 work, which the fence behind the wait orders: PTX
     * 9.7.16.6.4 asks for no more than relaxed waits.
     */
    Ordering await() {
        return switch (group) {
            case ONE -> Ordering.relaxed(Scope.CTA);
            case TWO -> Ordering.relaxed(Scope.CLUSTER);
        };
    }

    /** How one lane hands back what all lanes of its warp have read: its own word would need no release. */
    public Ordering release() {
        return switch (group) {
            case ONE -> Ordering.DEFAULT;
            case TWO -> Ordering.release(Scope.CLUSTER);
        };
    }
}
