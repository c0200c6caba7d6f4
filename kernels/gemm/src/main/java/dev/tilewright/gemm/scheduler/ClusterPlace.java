package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.division.Divisor;
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
 * Where a CTA stands: its cluster among the clusters of the grid, and its place in the cluster. Ranks run along M
 * first, then along N, then along K.
 *
 * <p>Everybody reads it where it is needed. What roles have in common would be held from before they part, over the
 * giving away of registers, and of that the assembler spilled some.
 *
 * @param rows CTAs of a cluster along M
 * @param columns CTAs of a cluster along N
 * @param parts CTAs of a cluster along K: those of a row and a column share the depth of a tile
 */
public record ClusterPlace(int rows, int columns, int parts) {

    private static final Immediate<B32> ZERO = Immediate.b32(0);

    /** Of clusters whose CTAs have a tile each. */
    public ClusterPlace(int rows, int columns) {
        this(rows, columns, 1);
    }

    /** CTAs of a cluster. */
    public int size() {
        return tiles() * parts;
    }

    /** Tiles of a cluster, and CTAs that have the same part of K. */
    public int tiles() {
        return rows * columns;
    }

    /** The linear id of the cluster. */
    public Reg<B32> id(CodeBuilder b) {
        return inClusters(b, SpecialRegister.CTAID_X);
    }

    /** Clusters of the grid. */
    public Reg<B32> count(CodeBuilder b) {
        return inClusters(b, SpecialRegister.NCTAID_X);
    }

    /** {@code %clusterid} and {@code %nclusterid} are no registers: ptxas divides for them, by way of a float. */
    private Reg<B32> inClusters(CodeBuilder b, SpecialRegister ctas) {
        Reg<B32> count = b.special(ctas);
        return size() == 1 ? count : new Divisor(size()).divide(b, count);
    }

    /** Rank of the CTA in its cluster. */
    public Operand<B32> rank(CodeBuilder b) {
        return size() == 1 ? ZERO : b.special(SpecialRegister.CLUSTER_CTARANK);
    }

    /** Row of the CTA in its cluster. */
    public Operand<B32> m(CodeBuilder b) {
        return rows == 1 ? ZERO : size() == rows ? rank(b) : new Divisor(rows).remainder(b, rank(b));
    }

    /** Column of the CTA in its cluster. */
    public Operand<B32> n(CodeBuilder b) {
        if (columns == 1) {
            return ZERO;
        }
        Operand<B32> inPart = parts == 1 ? rank(b) : new Divisor(tiles()).remainder(b, rank(b));
        return rows == 1 ? inPart : new Divisor(rows).divide(b, inPart);
    }

    /** The part of K that the CTA multiplies. */
    public Operand<B32> part(CodeBuilder b) {
        return parts == 1 ? ZERO : tiles() == 1 ? rank(b) : new Divisor(tiles()).divide(b, rank(b));
    }

    /** Rank of the CTA that has another part of K of the same tile. */
    public Operand<B32> rankOfPart(CodeBuilder b, Reg<B32> part) {
        return tiles() == 1 ? part : b.mad(part, Immediate.b32(tiles()), new Divisor(tiles()).remainder(b, rank(b)));
    }

    /** How to wait for what another CTA of the cluster wrote with ordinary stores. */
    public Ordering acquire() {
        return size() == 1 ? Ordering.DEFAULT : Ordering.acquire(Scope.CLUSTER);
    }

    /** How to hand over to another CTA of the cluster what was read or written with ordinary instructions. */
    public Ordering release() {
        return size() == 1 ? Ordering.DEFAULT : Ordering.release(Scope.CLUSTER);
    }

    /** How to arrive in the cluster without handing anything over. */
    public Ordering relaxed() {
        return Ordering.relaxed(size() == 1 ? Scope.CTA : Scope.CLUSTER);
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
        Operand<B32> rank = rank(b);
        Reg<B32> leader = b.and(rank, -2L);
        return new Pair(leader, b.eq(leader, rank));
    }
}
