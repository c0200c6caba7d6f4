package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The loading side of the K loop: ONE thread. In a cluster with multicast, CTAs of a row share A and those of a column
 * share B: each loads its slice of the rows and sends it to all of them, so that every CTA issues the same number of
 * loads. Boxes outside the operands arrive as zeros and count in full, so that tails need no code.
 *
 * <p>In a pair each CTA loads its own rows of A and its own half of B into its own shared memory, but all bytes are
 * counted on the barrier of the leader, who multiplies for both.
 */
public final class TmaLoader {

    private final OperandStages stages;
    private final StageLayout layout;
    private final ClusterSharing sharing;
    private final Reg<B32> sharedBase;
    private final Operand<B32> sliceA;
    private final Operand<B32> sliceB;
    private final Optional<Reg<B16>> maskA;
    private final Optional<Reg<B16>> maskB;
    private final int loadedA;
    private final int loadedB;
    private final Optional<PairBarriers> pair;
    private final PipelineState state;

    /** Prepares what does not change from tile to tile. */
    public TmaLoader(
            CodeBuilder b, OperandStages stages, ClusterSharing sharing, ClusterPlace cluster, Reg<B32> sharedBase) {
        this.stages = stages;
        this.layout = stages.layout();
        this.sharing = sharing;
        this.sharedBase = sharedBase;
        boolean sharesA = sharing.sharesA();
        boolean sharesB = sharing.sharesB();
        loadedA = sharesA ? layout.rowsA() / sharing.clusterN() : layout.rowsA();
        loadedB = sharesB ? layout.rowsB() * sharing.group().ctas() / sharing.clusterM() : layout.rowsB();
        sliceA = sharesA ? b.mulLo(cluster.n(), loadedA) : Immediate.b32(0);
        sliceB = sharesB ? b.mulLo(sharing.sliceOfB(b, cluster), loadedB) : Immediate.b32(0);
        maskA = sharesA ? Optional.of(sharing.maskA(b, cluster)) : Optional.empty();
        maskB = sharesB ? Optional.of(sharing.maskB(b, cluster)) : Optional.empty();
        pair = switch (sharing.group()) {
            case ONE -> Optional.empty();
            case TWO -> Optional.of(PairBarriers.of(b, cluster, stages, sharedBase));
        };
        state = stages.pipeline().producerState(b);
    }

    /**
     * Loads all k blocks of a tile.
     *
     * @param row first row of the CTA's tile in A
     * @param column first row of the CTA's tile in B; in a pair of its own half
     * @param kBlocks at least 1
     * @param mapA of A, box of one swizzle span of K x the rows that the CTA loads; M-major, of one swizzle span of M x
     *     the depth of a stage
     * @param mapB of B, likewise
     */
    public void load(
            CodeBuilder b, Reg<B32> row, Reg<B32> column, Reg<B32> kBlocks, GenericAddress mapA, GenericAddress mapB) {
        Reg<B32> rowA = b.add(row, sliceA);
        Reg<B32> rowB = b.add(column, sliceB);
        Reg<B32> k = b.b32();
        b.mov(k, 0);
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        Reg<B32> baseA = b.mad(sliceA, Immediate.b32(layout.a().rowStep()), sharedBase);
        Reg<B32> baseB = b.mad(sliceB, Immediate.b32(layout.b().rowStep()), sharedBase);
        Boxes boxesA = Boxes.of(b, layout.a(), rowA, loadedA);
        Boxes boxesB = Boxes.of(b, layout.b(), rowB, loadedB);
        b.doWhile("load k", w -> {
            SharedAddress full = stages.pipeline().producerAcquire(w, Ordering.DEFAULT, sharedBase, state);
            pair.ifPresentOrElse(
                    leader -> leader.expect(w, full, 2 * layout.bytes()),
                    () -> w.mbarrierArriveExpectTx(full, layout.bytes()));
            SharedAddress a = stages.slotA(w, baseA, state.slot());
            SharedAddress bAddress = stages.slotA(w, baseB, state.slot()).plus(stages.offsetB());
            for (int panel = 0; panel < layout.panels(); panel++) {
                Reg<B32> at = panel == 0 ? k : w.add(k, (long) panel * layout.rowElements());
                boxesA.forEach(panel, at, (offset, place) -> box(w, a.plus(offset), mapA, place, full, maskA));
                boxesB.forEach(panel, at, (offset, place) -> box(w, bAddress.plus(offset), mapB, place, full, maskB));
            }
            state.advance(w);
            w.add(k, k, layout.tileK());
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
    }

    /**
     * The boxes by which the rows that this CTA loads of one operand come: one with all rows for each panel along K, or
     * one for each panel along the rows.
     *
     * @param rows first row of each box
     */
    private record Boxes(OperandTile tile, List<Reg<B32>> rows) {

        /** What is to be done for a box: its offset in the slot, and its place in the operand. */
        private interface Load {
            void of(int offset, List<Reg<B32>> place);
        }

        static Boxes of(CodeBuilder b, OperandTile tile, Reg<B32> firstRow, int loaded) {
            List<Reg<B32>> rows = new ArrayList<>(List.of(firstRow));
            if (!tile.kMajor()) {
                for (int row = tile.spanElements(); row < loaded; row += tile.spanElements()) {
                    rows.add(b.add(firstRow, (long) row));
                }
            }
            return new Boxes(tile, List.copyOf(rows));
        }

        /** @param k first element along K of the panel */
        void forEach(int panelAlongK, Reg<B32> k, Load load) {
            for (int i = 0; i < rows.size(); i++) {
                Reg<B32> row = rows.get(i);
                load.of((panelAlongK + i) * tile.panelBytes(), tile.kMajor() ? List.of(k, row) : List.of(row, k));
            }
        }
    }

    private void box(
            CodeBuilder b,
            SharedAddress destination,
            GenericAddress map,
            List<Reg<B32>> at,
            SharedAddress full,
            Optional<Reg<B16>> mask) {
        pair.ifPresentOrElse(
                leader -> b.tensorLoad(sharing.group(), destination, map, at, leader.full(b, state.slot()), mask),
                () -> b.tmaLoad(destination, map, at, full, mask, Optional.empty()));
    }

    /**
     * Waits until every stage that was loaded has been read: nobody arrives at this CTA's barriers any more, so that it
     * may end.
     */
    public void drain(CodeBuilder b) {
        for (int slot = 0; slot < layout.slots(); slot++) {
            stages.pipeline().producerAcquire(b, Ordering.DEFAULT, sharedBase, state);
            state.advance(b);
        }
    }

    /**
     * The full barriers on which a pair counts its bytes: those of the leader, the CTA of even rank.
     *
     * @param fullBase where the first of them lies, as an address of the cluster
     */
    private record PairBarriers(ClusterPlace.Pair pair, Reg<B32> fullBase) {

        static PairBarriers of(CodeBuilder b, ClusterPlace cluster, OperandStages stages, Reg<B32> sharedBase) {
            ClusterPlace.Pair pair = cluster.pair(b);
            Reg<B32> own = b.add(sharedBase, stages.pipeline().full().offset());
            return new PairBarriers(pair, b.mapToRank(own, pair.leaderRank()).base());
        }

        void expect(CodeBuilder b, SharedAddress full, int bytes) {
            b.guarded(pair.isLeader(), g -> g.mbarrierArriveExpectTx(full, bytes));
        }

        ClusterAddress full(CodeBuilder b, Reg<B32> slot) {
            return ClusterAddress.of(b.add(b.shl(slot, 3), fullBase));
        }
    }
}
