package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;

/**
 * Hands stages back: one lane for each CTA that loaded a part of the stage, of a warpgroup, or of each warp where its
 * lanes have read scales beside what the warpgroup multiplied. The arrival at another CTA has the default scope on
 * purpose: with {@code .release.cluster} the assembler puts a fence of the whole GPU into the loop, and nothing was
 * written that would need it.
 *
 * @param alone whether no other CTA loads what this one reads
 * @param arrives whether this thread arrives
 * @param emptyBase where the empty barrier of the first slot lies
 */
record StageRelease(boolean alone, Reg<Pred> arrives, Reg<B32> emptyBase) {

    /**
     * The arrivals of one of the threads that hand a stage back together.
     *
     * @param sharing to whom stages are handed back
     * @param thread its number among them, from 0
     */
    static StageRelease of(
            CodeBuilder b, OperandStages stages, ClusterSharing sharing, ClusterPlace cluster, Reg<B32> thread) {
        if (sharing.readers() == 1) {
            Reg<Pred> first = b.lt(thread, 1);
            return new StageRelease(true, first, stages.pipeline().empty().pointer(b, 0));
        }
        ClusterSharing.Writer writer = sharing.writer(b, cluster, thread);
        return new StageRelease(false, writer.exists(), stages.remoteEmptyBase(b, writer.rank()));
    }

    /** Hands the stage in a slot back. */
    void handBack(CodeBuilder b, Reg<B32> slot) {
        arrive(b, slot, arrives);
    }

    /** The same, where it has been read. */
    void handBack(CodeBuilder b, Reg<B32> slot, Reg<Pred> read) {
        arrive(b, slot, b.andPred(arrives, read));
    }

    private void arrive(CodeBuilder b, Reg<B32> slot, Reg<Pred> when) {
        Reg<B32> address = b.add(b.shl(slot, 3), emptyBase);
        Address barrier = alone ? SharedAddress.of(address) : ClusterAddress.of(address);
        b.guarded(when, g -> g.mbarrierArrive(barrier));
    }
}
