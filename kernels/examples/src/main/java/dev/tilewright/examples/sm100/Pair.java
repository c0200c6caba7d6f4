package dev.tilewright.examples.sm100;

import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Two CTAs of a cluster that multiply together. The leader, rank 0, issues the products for both, so that both count
 * their bytes and hand back their sums at the barriers of the leader.
 *
 * @param rank of this CTA
 */
record Pair(Reg<B32> rank) {

    static final int CTAS = 2;
    private static final Immediate<B32> LEADER = Immediate.b32(0);

    static Pair of(CodeBuilder b) {
        return new Pair(b.special(SpecialRegister.CLUSTER_CTARANK));
    }

    /** One thread of the leader executes the block. */
    static void leader(CodeBuilder warp, Consumer<CodeBuilder> block) {
        warp.ifThen(warp.andPred(of(warp).isLeader(warp), warp.elect()), block);
    }

    private Reg<Pred> isLeader(CodeBuilder b) {
        return b.eq(rank, 0);
    }

    /** First row of D of this CTA. */
    Reg<B32> row(CodeBuilder b, Reg<B32> pairRow) {
        return b.mulLo(b.mad(pairRow, CTAS, rank), Step.TILE);
    }

    /**
     * Loads this CTA's part of a block into its own shared memory. The leader announces the bytes of both CTAs.
     *
     * @param full barrier of the stage in this CTA
     */
    void load(
            CodeBuilder b,
            Stages stages,
            PipelineState state,
            Reg<B32> block,
            Reg<B32> row,
            Reg<B32> rowOfB,
            SharedAddress full) {
        Reg<B32> depth = b.mulLo(block, Step.DEPTH);
        ClusterAddress ofLeader = inLeader(b, full);
        b.guarded(isLeader(b), one -> one.mbarrierArriveExpectTx(full, CTAS * stages.bytes()));
        b.tensorLoad(
                CtaGroup.TWO,
                stages.a(b, state.slot()),
                b.tensorMap(stages.arguments().a()),
                List.of(depth, row),
                ofLeader,
                Optional.empty());
        b.tensorLoad(
                CtaGroup.TWO,
                stages.b(b, state.slot()),
                b.tensorMap(stages.arguments().b()),
                List.of(depth, rowOfB),
                ofLeader,
                Optional.empty());
    }

    /** Says in the leader that a warp has read the sums, at the empty barrier of their slot. */
    static void handBack(CodeBuilder b, SharedAddress empty) {
        b.tensorFenceBeforeSync();
        b.syncWarp();
        ClusterAddress ofLeader = inLeader(b, empty);
        b.guarded(
                b.eq(b.special(SpecialRegister.LANEID), 0),
                lane -> lane.mbarrierArrive(Ordering.release(Scope.CLUSTER), ofLeader, 1));
    }

    private static ClusterAddress inLeader(CodeBuilder b, SharedAddress address) {
        return b.mapToRank(b.add(address.base(), address.offset()), LEADER);
    }
}
