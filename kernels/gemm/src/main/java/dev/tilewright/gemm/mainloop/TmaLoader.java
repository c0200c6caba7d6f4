package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.space.L2Hint;
import dev.tilewright.gemm.space.LoadedRows;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The loading side of the K loop: ONE thread. In a cluster with multicast, CTAs of a row share A and those of a column
 * share B: each loads its slice of the rows and sends it to all of them, so that every CTA issues the same number of
 * loads; rows that cannot be cut into slices are loaded in turns. Boxes outside the operands arrive as zeros and count
 * in full, so that tails need no code.
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
    private final Optional<Turn> turnOfA;
    private final Optional<Turn> turnOfB;
    private final Optional<Reg<B64>> policyA;
    private final Optional<Reg<B64>> policyB;
    private final Optional<PairBarriers> pair;
    private final Ordering announcing;
    private final PipelineState state;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param announcing how the bytes of a stage are announced; the thread has nothing to hand over, but relaxed
     *     arrivals need PTX ISA 8.6
     */
    public TmaLoader(
            CodeBuilder b,
            OperandStages stages,
            ClusterSharing sharing,
            L2Hint hint,
            Ordering announcing,
            ClusterPlace cluster,
            Reg<B32> sharedBase) {
        this.stages = stages;
        this.announcing = announcing;
        this.layout = stages.layout();
        this.sharing = sharing;
        this.sharedBase = sharedBase;
        boolean sharesA = sharing.sharesA();
        boolean sharesB = sharing.sharesB();
        int slicesOfA = sharesA ? sharing.clusterN() : 1;
        boolean slicesA = sharesA && LoadedRows.cut(layout.rowsA(), slicesOfA);
        loadedA = LoadedRows.of(layout.rowsA(), slicesOfA);
        int slicesOfB = sharesB ? sharing.clusterM() / sharing.group().ctas() : 1;
        boolean slicesB = sharesB && LoadedRows.cut(layout.rowsB(), slicesOfB);
        loadedB = LoadedRows.of(layout.rowsB(), slicesOfB);
        sliceA = slicesA ? b.mulLo(cluster.n(b), loadedA) : Immediate.b32(0);
        sliceB = slicesB ? b.mulLo(sharing.sliceOfB(b, cluster), loadedB) : Immediate.b32(0);
        turnOfA = sharesA && !slicesA ? Optional.of(new Turn(cluster.n(b), slicesOfA)) : Optional.empty();
        turnOfB =
                sharesB && !slicesB ? Optional.of(new Turn(sharing.sliceOfB(b, cluster), slicesOfB)) : Optional.empty();
        maskA = sharesA ? Optional.of(sharing.maskA(b, cluster)) : Optional.empty();
        maskB = sharesB ? Optional.of(sharing.maskB(b, cluster)) : Optional.empty();
        policyA = policy(b, hint, L2Hint.KEEP_A);
        policyB = policy(b, hint, L2Hint.KEEP_B);
        pair = switch (sharing.group()) {
            case ONE -> Optional.empty();
            case TWO -> Optional.of(PairBarriers.of(b, cluster, stages, sharedBase));
        };
        state = stages.pipeline().producerState(b);
    }

    /** @param keeping the hint by which the operand stays; by any other it goes first */
    private static Optional<Reg<B64>> policy(CodeBuilder b, L2Hint hint, L2Hint keeping) {
        if (hint == L2Hint.NONE) {
            return Optional.empty();
        }
        return Optional.of(
                b.createPolicy(hint == keeping ? EvictionPriority.EVICT_LAST : EvictionPriority.EVICT_FIRST));
    }

    /**
     * Loads all k blocks of a tile, or of a piece of one.
     *
     * @param row first row of the CTA's tile in A
     * @param column first row of the CTA's tile in B; in a pair of its own half
     * @param firstBlock blocks of K before the first that is loaded; absent if there are none
     * @param kBlocks at least 1
     * @param mapA of A, box of one swizzle span of K x the rows that the CTA loads, or half of them where they are more
     *     than 256; M-major, of one swizzle span of M x the depth of a stage
     * @param mapB of B, likewise
     */
    public void load(
            CodeBuilder b,
            Reg<B32> row,
            Reg<B32> column,
            Optional<Reg<B32>> firstBlock,
            Reg<B32> kBlocks,
            GenericAddress mapA,
            GenericAddress mapB) {
        Reg<B32> rowA = b.add(row, sliceA);
        Reg<B32> rowB = b.add(column, sliceB);
        Reg<B32> k = b.b32();
        firstBlock.ifPresentOrElse(first -> b.mulLo(k, first, layout.tileK()), () -> b.mov(k, 0));
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        Reg<B32> baseA = b.mad(sliceA, Immediate.b32(layout.a().rowStep()), sharedBase);
        Reg<B32> baseB = b.mad(sliceB, Immediate.b32(layout.b().rowStep()), sharedBase);
        Boxes boxesA = Boxes.of(layout.a(), rowA, loadedA);
        Boxes boxesB = Boxes.of(layout.b(), rowB, loadedB);
        b.doWhile("load k", w -> {
            SharedAddress full = stages.pipeline().producerAcquire(w, Ordering.DEFAULT, sharedBase, state);
            pair.ifPresentOrElse(
                    leader -> w.guarded(leader.pair().isLeader(), g -> announce(g, full, 2 * layout.bytes())),
                    () -> announce(w, full, layout.bytes()));
            SharedAddress a = stages.slotA(w, baseA, state.slot());
            SharedAddress bAddress = stages.slotA(w, baseB, state.slot()).plus(stages.offsetB());
            for (int panel = 0; panel < layout.panels(); panel++) {
                Reg<B32> at = panel == 0 ? k : w.add(k, (long) panel * layout.rowElements());
                int panelAlongK = panel;
                inTurn(
                        w,
                        turnOfA,
                        block,
                        c -> boxesA.forEach(
                                c,
                                panelAlongK,
                                at,
                                (offset, place) -> box(c, a.plus(offset), mapA, place, full, maskA, policyA)));
                inTurn(
                        w,
                        turnOfB,
                        block,
                        c -> boxesB.forEach(
                                c,
                                panelAlongK,
                                at,
                                (offset, place) -> box(c, bAddress.plus(offset), mapB, place, full, maskB, policyB)));
            }
            state.advance(w);
            w.add(k, k, layout.tileK());
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
    }

    private static void inTurn(CodeBuilder b, Optional<Turn> turns, Reg<B32> block, Consumer<CodeBuilder> load) {
        turns.ifPresentOrElse(turn -> b.ifThen(turn.has(b, block), load), () -> load.accept(b));
    }

    /**
     * The boxes by which the rows that this CTA loads of one operand come: of each panel along K one with all rows, or
     * two where they are more than a box has, or one for each panel along the rows.
     *
     * @param firstRow of the first box
     * @param step rows of a box
     * @param count of boxes of a panel
     */
    private record Boxes(OperandTile tile, Reg<B32> firstRow, int step, int count) {

        /** What is to be done for a box: its offset in the slot, and its place in the operand. */
        private interface Load {
            void of(int offset, List<Reg<B32>> place);
        }

        static Boxes of(OperandTile tile, Reg<B32> firstRow, int loaded) {
            int step = tile.kMajor() ? LoadedRows.boxRows(loaded) : tile.spanElements();
            return new Boxes(tile, firstRow, step, loaded / step);
        }

        /**
         * The rows of the boxes are reckoned anew each time: kept, they would not fit the registers of a producer that
         * gave most of them away.
         *
         * @param k first element along K of the panel
         */
        void forEach(CodeBuilder b, int panelAlongK, Reg<B32> k, Load load) {
            // One that is MN-major has all of K in its first panels, while the other may be cut along K.
            int boxes = panelAlongK < tile.panelsAlongK() ? count : 0;
            for (int i = 0; i < boxes; i++) {
                Reg<B32> row = i == 0 ? firstRow : b.add(firstRow, (long) i * step);
                int offset = panelAlongK * tile.panelBytes() + i * step * tile.rowStep();
                load.of(offset, tile.kMajor() ? List.of(k, row) : List.of(row, k));
            }
        }
    }

    /**
     * Where rows cannot be cut into equal slices, the CTAs that share them take turns: one loads all rows of a block.
     *
     * @param own the number of the CTA among them
     * @param turns a power of two
     */
    private record Turn(Operand<B32> own, int turns) {
        Reg<Pred> has(CodeBuilder b, Reg<B32> block) {
            return b.eq(b.and(block, turns - 1L), own);
        }
    }

    private void announce(CodeBuilder b, SharedAddress full, int bytes) {
        b.with(new Mbarrier.ArriveExpectTx(announcing, full, Immediate.b32(bytes)));
    }

    private void box(
            CodeBuilder b,
            SharedAddress destination,
            GenericAddress map,
            List<Reg<B32>> at,
            SharedAddress full,
            Optional<Reg<B16>> mask,
            Optional<Reg<B64>> policy) {
        pair.ifPresentOrElse(
                leader -> b.tensorLoad(sharing.group(), destination, map, at, leader.full(b, state.slot()), mask),
                () -> b.tmaLoad(destination, map, at, full, mask, policy));
    }

    /**
     * Waits until every stage that was loaded has been read: nobody arrives at this CTA's barriers any more, and what
     * others send it has come, so that it may end while they go on. In a loop, so that the text does not grow with the
     * stages.
     */
    public void drain(CodeBuilder b) {
        Reg<B32> left = b.b32();
        b.mov(left, layout.slots());
        b.doWhile("drain", w -> {
            stages.pipeline().producerAcquire(w, Ordering.DEFAULT, sharedBase, state);
            state.advance(w);
            w.sub(left, left, 1);
            return w.ne(left, 0);
        });
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

        ClusterAddress full(CodeBuilder b, Reg<B32> slot) {
            return ClusterAddress.of(b.add(b.shl(slot, 3), fullBase));
        }
    }
}
