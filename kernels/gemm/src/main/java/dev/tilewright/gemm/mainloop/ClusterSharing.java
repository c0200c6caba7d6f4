package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.space.Multicast;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.ArrayList;
import java.util.List;

/**
 * Who needs the same operands in a cluster: CTAs of one row share A, those of one column share B. A pair of CTAs lies
 * along M and holds half of B in each, so in a column only CTAs of the same parity share. Ranks run along M first.
 *
 * @param multicast what they share
 * @param group CTAs that multiply together
 */
public record ClusterSharing(Multicast multicast, int clusterM, int clusterN, CtaGroup group) {

    /** Whether rows of A come from several CTAs. */
    public boolean sharesA() {
        return multicast.ofA() && clusterN > 1;
    }

    /** Whether rows of B come from several CTAs. */
    public boolean sharesB() {
        return multicast.ofB() && clusterM / group.ctas() > 1;
    }

    /** Groups that read what one CTA loads, its own among them: those of its row and those of its column. */
    public int readers() {
        int inColumn = sharesB() ? clusterM / group.ctas() : 1;
        int inRow = sharesA() ? clusterN : 1;
        return inColumn + inRow - 1;
    }

    /**
     * Rank of a CTA that loads a part of what this one reads; where both operands are shared, of any of the cluster.
     *
     * @param index below the number of them, a power of two
     */
    Reg<B32> writer(CodeBuilder b, ClusterPlace cluster, Reg<B32> index) {
        return switch (multicast) {
            case NONE, BOTH -> index;
            case A -> b.mad(index, Immediate.b32(clusterM), cluster.m(b));
            case B -> b.mad(cluster.n(b), Immediate.b32(clusterM), index);
        };
    }

    /** Which of the slices of B in its column the CTA loads. */
    Operand<B32> sliceOfB(CodeBuilder b, ClusterPlace cluster) {
        return switch (group) {
            case ONE -> cluster.m(b);
            case TWO -> b.shr(cluster.m(b), 1);
        };
    }

    /** Ranks of the CTAs that need the same rows of A. */
    Reg<B16> maskA(CodeBuilder b, ClusterPlace cluster) {
        return b.narrow16(b.shl(b.mov(Immediate.b32(firstRow(1))), cluster.m(b)));
    }

    /** Ranks of the CTAs that need the same rows of B. */
    Reg<B16> maskB(CodeBuilder b, ClusterPlace cluster) {
        int firstColumn = 0;
        for (int row = 0; row < clusterM; row += group.ctas()) {
            firstColumn |= 1 << row;
        }
        Reg<B32> column = b.shl(b.mov(Immediate.b32(firstColumn)), b.mulLo(cluster.n(b), clusterM));
        return b.narrow16(
                switch (group) {
                    case ONE -> column;
                    case TWO -> b.shl(column, b.and(cluster.m(b), 1));
                });
    }

    /** Ranks of the group's own CTAs; on its leader. */
    Reg<B16> maskOfGroup(CodeBuilder b, ClusterPlace cluster) {
        return b.narrow16(b.shl(b.mov(Immediate.b32((1 << group.ctas()) - 1)), cluster.rank(b)));
    }

    /** Ranks of the CTAs that load what the group reads, and which it must tell that it has read; on its leader. */
    Reg<B16> maskOfWriters(CodeBuilder b, ClusterPlace cluster) {
        if (!sharesA() && !sharesB()) {
            return maskOfGroup(b, cluster);
        }
        // Both have the group's own bits.
        List<Reg<B32>> masks = new ArrayList<>();
        if (sharesA()) {
            masks.add(b.shl(b.mov(Immediate.b32(firstRow(group.ctas()))), cluster.m(b)));
        }
        if (sharesB()) {
            int column = (1 << clusterM) - 1;
            masks.add(b.shl(b.mov(Immediate.b32(column)), b.mulLo(cluster.n(b), clusterM)));
        }
        return b.narrow16(masks.stream().reduce(b::or).orElseThrow());
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
