package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;

/**
 * The CTAs of a cluster that need the same operands: a row of CTAs shares A, a column of them shares B. A pair of CTAs
 * lies along M and holds half of B in each, so in a column only CTAs of the same parity share. Ranks run along M first.
 * Rows and columns are those of CTAs that have the same part of K.
 *
 * @param layout tiles of the operands, each with the number of CTAs that share it
 * @param group CTAs that multiply together
 */
public record ClusterSharing(StageLayout layout, int clusterM, int clusterN, CtaGroup group) {

    /** Groups that read what one CTA loads, its own among them: those that share an operand with it. */
    public int readers() {
        return 1 + layout.tiles().stream().mapToInt(tile -> tile.sharers() - 1).sum();
    }

    /** Into how many pieces the CTAs of the group cut the rows that they multiply of an operand: a pair cuts B. */
    int pieces(OperandRole role) {
        return switch (role) {
            case A -> 1;
            case B -> group.ctas();
        };
    }

    /**
     * A CTA that loads a part of what this one reads.
     *
     * @param rank of it, a valid one on every lane
     * @param exists on the lanes that have one
     */
    record Writer(Reg<B32> rank, Reg<Pred> exists) {}

    /**
     * The writers, one for each of the first lanes; in a cluster of which both operands are shared those of the row
     * first, then the others of the column.
     *
     * @param lane 0..127
     */
    Writer writer(CodeBuilder b, ClusterPlace cluster, Reg<B32> lane) {
        List<OperandTile> shared =
                layout.tiles().stream().filter(OperandTile::isShared).toList();
        if (shared.size() > 1) {
            return ofRowOrColumn(b, cluster, lane);
        }
        int writers = readers();
        Reg<Pred> exists = b.lt(lane, writers);
        Reg<B32> index = b.and(lane, writers - 1L);
        // Where the cluster has no other row or column, its ranks are those of this one.
        if (shared.isEmpty() || clusterM == 1 || clusterN == 1) {
            return new Writer(inPart(b, cluster, index), exists);
        }
        return new Writer(
                inPart(
                        b,
                        cluster,
                        switch (shared.getFirst().role()) {
                            case A -> b.mad(index, Immediate.b32(clusterM), cluster.m(b));
                            case B -> b.mad(cluster.n(b), Immediate.b32(clusterM), index);
                        }),
                exists);
    }

    /** The rank of a CTA that has the same part of K, by its rank among those. */
    private static Reg<B32> inPart(CodeBuilder b, ClusterPlace cluster, Reg<B32> rank) {
        return cluster.parts() == 1 ? rank : b.mad(cluster.part(b), Immediate.b32(cluster.tiles()), rank);
    }

    private static Reg<B32> maskInPart(CodeBuilder b, ClusterPlace cluster, Reg<B32> mask) {
        return cluster.parts() == 1 ? mask : b.shl(mask, b.mulLo(cluster.part(b), cluster.tiles()));
    }

    private Writer ofRowOrColumn(CodeBuilder b, ClusterPlace cluster, Reg<B32> lane) {
        Operand<B32> row = cluster.m(b);
        Reg<B32> inRow = b.mad(b.and(lane, clusterN - 1L), Immediate.b32(clusterM), row);
        Reg<B32> below = b.and(b.sub(lane, clusterN), clusterM - 1L);
        Reg<B32> inColumn = b.mad(cluster.n(b), Immediate.b32(clusterM), below);
        Reg<Pred> first = b.lt(lane, clusterN);
        Reg<Pred> others = b.andPred(b.lt(lane, clusterN + clusterM), b.ne(below, row));
        return new Writer(inPart(b, cluster, b.select(first, inRow, inColumn)), b.orPred(first, others));
    }

    /** Number of this CTA among those that share an operand. */
    Operand<B32> numberAmongSharers(CodeBuilder b, ClusterPlace cluster, OperandRole role) {
        return switch (role) {
            case A -> cluster.n(b);
            case B ->
                switch (group) {
                    case ONE -> cluster.m(b);
                    case TWO -> b.shr(cluster.m(b), 1);
                };
        };
    }

    /** Ranks of the CTAs that need the same rows of an operand. */
    Reg<B16> mask(CodeBuilder b, ClusterPlace cluster, OperandRole role) {
        return b.narrow16(maskInPart(
                b,
                cluster,
                switch (role) {
                    case A -> b.shl(b.mov(Immediate.b32(firstRow(1))), cluster.m(b));
                    case B -> maskOfColumn(b, cluster);
                }));
    }

    private Reg<B32> maskOfColumn(CodeBuilder b, ClusterPlace cluster) {
        int firstColumn = 0;
        for (int row = 0; row < clusterM; row += group.ctas()) {
            firstColumn |= 1 << row;
        }
        Reg<B32> column = b.shl(b.mov(Immediate.b32(firstColumn)), b.mulLo(cluster.n(b), clusterM));
        return switch (group) {
            case ONE -> column;
            case TWO -> b.shl(column, b.and(cluster.m(b), 1));
        };
    }

    /** Ranks of the group's own CTAs; on its leader. */
    Reg<B16> maskOfGroup(CodeBuilder b, ClusterPlace cluster) {
        return b.narrow16(b.shl(b.mov(Immediate.b32((1 << group.ctas()) - 1)), cluster.rank(b)));
    }

    /** Ranks of the CTAs that load what the group reads, and which it must tell that it has read; on its leader. */
    Reg<B16> maskOfWriters(CodeBuilder b, ClusterPlace cluster) {
        // Each of them has the group's own bits.
        return layout.tiles().stream()
                .filter(OperandTile::isShared)
                .map(tile -> writers(b, cluster, tile.role()))
                .reduce(b::or)
                .map(b::narrow16)
                .orElseGet(() -> maskOfGroup(b, cluster));
    }

    /** Ranks of the CTAs that load rows of an operand which the group reads. */
    private Reg<B32> writers(CodeBuilder b, ClusterPlace cluster, OperandRole role) {
        return switch (role) {
            case A -> b.shl(b.mov(Immediate.b32(firstRow(group.ctas()))), cluster.m(b));
            case B -> b.shl(b.mov(Immediate.b32((1 << clusterM) - 1)), b.mulLo(cluster.n(b), clusterM));
        };
    }

    /** Ranks of the first {@code rows} rows of the cluster. */
    private int firstRow(int rows) {
        int mask = 0;
        for (int column = 0; column < clusterN; column++) {
            mask |= ((1 << rows) - 1) << (column * clusterM);
        }
        return mask;
    }
}
