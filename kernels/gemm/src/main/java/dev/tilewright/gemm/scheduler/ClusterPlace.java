package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Where a CTA stands: its cluster among the clusters of the grid, and its place in the cluster.
 *
 * @param size CTAs of a cluster
 * @param id linear id of the cluster
 * @param count clusters of the grid
 * @param rank of the CTA in its cluster
 * @param m row of the CTA in its cluster
 * @param n column of the CTA in its cluster
 */
public record ClusterPlace(int size, Reg<B32> id, Reg<B32> count, Operand<B32> rank, Operand<B32> m, Operand<B32> n) {

    /** Reads the special registers; ranks run along M first. */
    public static ClusterPlace read(CodeBuilder b, int clusterM, int clusterN) {
        int size = clusterM * clusterN;
        if (size == 1) {
            Operand<B32> zero = Immediate.b32(0);
            return new ClusterPlace(1, readId(b, size), readCount(b, size), zero, zero, zero);
        }
        Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
        return new ClusterPlace(
                size, readId(b, size), readCount(b, size), rank, b.rem(rank, clusterM), b.div(rank, clusterM));
    }

    /** The linear id of the cluster, read again: for code that should not hold it in a register. */
    Reg<B32> readId(CodeBuilder b) {
        return readId(b, size);
    }

    /** Clusters of the grid, likewise. */
    Reg<B32> readCount(CodeBuilder b) {
        return readCount(b, size);
    }

    private static Reg<B32> readId(CodeBuilder b, int size) {
        return b.special(size == 1 ? SpecialRegister.CTAID_X : SpecialRegister.CLUSTERID_X);
    }

    private static Reg<B32> readCount(CodeBuilder b, int size) {
        return b.special(size == 1 ? SpecialRegister.NCTAID_X : SpecialRegister.NCLUSTERID_X);
    }

    /** How to wait for what another CTA of the cluster wrote with ordinary stores. */
    public Ordering acquire() {
        return size == 1 ? Ordering.DEFAULT : Ordering.acquire(Scope.CLUSTER);
    }

    /** How to hand over to another CTA of the cluster what was read or written with ordinary instructions. */
    public Ordering release() {
        return size == 1 ? Ordering.DEFAULT : Ordering.release(Scope.CLUSTER);
    }

    /** How to arrive in the cluster without handing anything over. */
    public Ordering relaxed() {
        return Ordering.relaxed(size == 1 ? Scope.CTA : Scope.CLUSTER);
    }

    /**
     * The pair that the CTA is of: CTAs whose ranks differ in the last bit alone.
     *
     * @param leaderRank rank of the even one, which multiplies for both
     * @param isLeader whether this is the one
     */
    public record Pair(Reg<B32> leaderRank, Reg<Pred> isLeader) {}

    /** Reads which pair the CTA is of; in a cluster of an even number of rows. */
    public Pair pair(CodeBuilder b) {
        Reg<B32> leader = b.and(rank, -2L);
        return new Pair(leader, b.eq(leader, rank));
    }
}
