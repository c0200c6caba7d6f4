package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.Optional;

/**
 * Where a role stands in the ring of a dynamic scheduler.
 *
 * @param next the slot that it reads next
 * @param flight what is in flight, if more than one query may be
 * @param throttleParity of the phase of the throttle that the scheduler waits for next, if there is one
 */
record RingCursor(PipelineState next, Optional<Flight> flight, Optional<Reg<B32>> throttleParity) {

    /**
     * Queries in flight. Every role counts alike, from what it has read: one more query at the beginning of each tile
     * until an answer has failed.
     *
     * @param outstanding queries made whose answers the role has not read
     * @param failed whether it has read a failed answer, if a tile may come behind one
     * @param exhausted whether the source has said that there is no more; the scheduler's, if none may
     */
    record Flight(Reg<B32> outstanding, Optional<Reg<Pred>> failed, Optional<Reg<Pred>> exhausted) {}
}
