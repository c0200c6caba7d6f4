package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.Optional;

/** Source of the tiles of a {@link RingTileScheduler}, and their form in the ring. */
public sealed interface TileSource permits CounterSource, CancelSource {

    /** Whether no tile can come behind the first failed answer. */
    boolean failsForGood();

    /** Before a slot takes an answer that readers have looked into; one thread of rank 0. */
    void reuse(CodeBuilder b);

    /**
     * Asks for one more tile; one thread of rank 0. The slot is free.
     *
     * @param producer the slot that takes the answer
     * @param exhausted whether the source has said that there is no more, which it may set; absent where a query is
     *     only made after the answer before it was read
     */
    void ask(CodeBuilder b, TileRing ring, PipelineState producer, Optional<Reg<Pred>> exhausted);

    /**
     * Lets the readers of all CTAs see the answer in a slot, as soon as it is there; the thread that asked, when it is
     * about to read the answer itself. So no role is ahead of the scheduler by more than a tile, however many queries
     * are in flight.
     *
     * @param exhausted as in {@link #ask}
     */
    void release(CodeBuilder b, TileRing ring, PipelineState producer, Optional<Reg<Pred>> exhausted);

    /**
     * Reads the record of a slot.
     *
     * @param tile becomes the linear cluster tile, if there is one; absent where nobody asks
     * @param valid becomes whether there is one
     */
    void decode(CodeBuilder b, TileRing ring, PipelineState reader, Optional<Reg<B32>> tile, Reg<Pred> valid);

    /** After {@link #decode} and before the slot is handed back. */
    void endRead(CodeBuilder b);
}
