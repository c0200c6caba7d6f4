package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TilePlace;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.parameter.L2Hint;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Loads by TMA: ONE thread. In a cluster with multicast, CTAs of a row share A and those of a column share B: each
 * loads its slice of the rows and sends it to all of them, so that every CTA issues the same number of loads; rows that
 * cannot be cut into slices are loaded in alternation. Boxes outside the operands arrive as zeros and count in full, so
 * that tails need no code.
 *
 * <p>In a pair each CTA loads its own rows of A and its own half of B into its own shared memory, but all bytes are
 * counted on the barrier of the leader, who multiplies for both.
 */
public final class TmaLoader implements Loader {

    private final OperandStages stages;
    private final StageLayout layout;
    private final ClusterSharing sharing;
    private final List<LoadedOperand> operands;
    private final Optional<PairBarriers> pair;
    private final Manner manner;
    private final PipelineState state;
    private final TileWalk walk;

    /** First row of this CTA's piece in the tile of its pair, of the operand that a pair cuts. */
    private final Optional<Reg<B32>> piece;

    /**
     * How a family loads.
     *
     * @param hint which operand is to stay in L2
     * @param tick at which a block is asked for; absent: as soon as its stage is free
     * @param announcing how the bytes of a stage are announced; the thread has nothing to hand over, but relaxed
     *     arrivals need PTX ISA 8.6
     * @param first the operand whose rows are found first; the assembler keeps that order
     * @param scales those of A that come beside a stage
     */
    public record Manner(
            L2Hint hint,
            Optional<TimerTick> tick,
            Ordering announcing,
            OperandRole first,
            Optional<StageScales> scales) {}

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param walk of the role, by which it moves the operands in the order of the stage
     */
    public TmaLoader(
            CodeBuilder b,
            OperandStages stages,
            ClusterSharing sharing,
            Manner manner,
            ClusterPlace cluster,
            TileWalk walk) {
        this.stages = stages;
        this.walk = walk;
        this.manner = manner;
        this.layout = stages.layout();
        this.sharing = sharing;
        operands = layout.tiles().stream()
                .map(tile -> LoadedOperand.of(b, tile, sharing, cluster, manner.hint()))
                .toList();
        pair = switch (sharing.group()) {
            case ONE -> Optional.empty();
            case TWO -> Optional.of(PairBarriers.of(b, cluster, stages));
        };
        state = stages.pipeline().producerState(b);
        piece = layout.tiles().stream()
                .filter(tile -> sharing.pieces(tile.role()) > 1)
                .map(tile -> b.mulLo(b.and(cluster.rank(b), 1), tile.rows()))
                .findFirst();
    }

    @Override
    public Loading begin(CodeBuilder b, TileWalk.Found tile) {
        b.comment("load: the k blocks of the tile");
        KBlocks blocks = walk.kBlocks(b, tile);
        List<GenericAddress> maps = walk.maps(b, tile, Optional.empty());
        Map<OperandTile, Reg<B32>> firstRows = new HashMap<>();
        layout.tiles().stream()
                .sorted(Comparator.comparing(operand -> operand.role() != manner.first()))
                .forEach(operand -> firstRows.put(operand, firstRow(b, operand, tile.place())));
        List<LoadedOperand.Boxes> boxes = IntStream.range(0, operands.size())
                .mapToObj(i -> operands.get(i)
                        .boxes(b, maps.get(i), firstRows.get(layout.tiles().get(i)), stages.stages()))
                .toList();
        Reg<B32> k = b.b32("k");
        blocks.first().ifPresentOrElse(first -> b.mulLo(k, first, layout.tileK()), () -> b.mov(k, 0));
        Optional<StageScales.Boxes> scales = manner.scales().map(of -> of.boxes(b, tile.place(), blocks));
        return new OfTile(boxes, scales, k, blocks.counter(b));
    }

    /** The first row in its operand of what this CTA holds of a tile; where a pair cuts it, that of its piece. */
    private Reg<B32> firstRow(CodeBuilder b, OperandTile operand, TilePlace place) {
        int pieces = sharing.pieces(operand.role());
        Reg<B32> first = b.mulLo(place.along(operand.role()), operand.rows() * pieces);
        return pieces == 1 ? first : b.add(first, piece.orElseThrow());
    }

    /** The loads of one tile. */
    private final class OfTile implements Loading {

        private final List<LoadedOperand.Boxes> boxes;
        private final Optional<StageScales.Boxes> scales;
        /** First element along K of the next block. */
        private final Reg<B32> k;

        private final KBlocks.Counter counter;

        OfTile(
                List<LoadedOperand.Boxes> boxes,
                Optional<StageScales.Boxes> scales,
                Reg<B32> k,
                KBlocks.Counter counter) {
            this.boxes = boxes;
            this.scales = scales;
            this.k = k;
            this.counter = counter;
        }

        /** The bytes that come are announced at once. */
        @Override
        public SharedAddress acquire(CodeBuilder b) {
            SharedAddress full = stages.pipeline().producerAcquire(b, Ordering.DEFAULT, state);
            manner.tick().ifPresent(timer -> timer.await(b));
            pair.ifPresentOrElse(
                    leader -> b.guarded(leader.pair().isLeader(), g -> announce(g, full, 2 * layout.bytes())),
                    () -> announce(
                            b,
                            full,
                            layout.bytes()
                                    + manner.scales().map(StageScales::bytes).orElse(0)));
            return full;
        }

        @Override
        public void load(CodeBuilder b, SharedAddress full) {
            List<SharedAddress> slots = boxes.stream()
                    .map(box -> stages.inSlot(b, box.base(), state.slot())
                            .plus(layout.offset(box.operand().tile().role())))
                    .toList();
            scales.ifPresent(ofTile -> ofTile.load(b, state.slot(), full));
            for (int panel = 0; panel < layout.panels(); panel++) {
                Reg<B32> at = panel == 0 ? k : b.add(k, (long) panel * layout.panelDepth());
                for (int i = 0; i < boxes.size(); i++) {
                    copy(b, boxes.get(i), slots.get(i), panel, counter.block(), at, full);
                }
            }
        }

        /** The copies complete the barrier themselves. */
        @Override
        public Reg<Pred> commit(CodeBuilder b) {
            state.advance(b);
            b.add(k, k, layout.tileK());
            return counter.next(b);
        }
    }

    private void copy(
            CodeBuilder b,
            LoadedOperand.Boxes boxes,
            SharedAddress slot,
            int panel,
            Reg<B32> block,
            Reg<B32> k,
            SharedAddress full) {
        LoadedOperand operand = boxes.operand();
        boxes.forEach(b, panel, block, k, (c, offset, place) -> {
            SharedAddress destination = slot.plus(offset);
            pair.ifPresentOrElse(
                    leader -> c.tensorLoad(
                            sharing.group(),
                            destination,
                            boxes.map(),
                            place,
                            leader.full(c, state.slot()),
                            operand.mask()),
                    () -> c.tmaLoad(destination, boxes.map(), place, full, operand.mask(), operand.policy()));
        });
    }

    private void announce(CodeBuilder b, SharedAddress full, int bytes) {
        b.with(new Mbarrier.ArriveExpectTx(manner.announcing(), full, Immediate.b32(bytes)));
    }

    /** In a loop, so that the text does not grow with the stages. */
    @Override
    public void drain(CodeBuilder b) {
        b.comment("load: the end, when every stage was read");
        Reg<B32> left = b.b32("left", layout.slots());
        b.doWhile("drain", w -> {
            stages.pipeline().producerAcquire(w, Ordering.DEFAULT, state);
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

        static PairBarriers of(CodeBuilder b, ClusterPlace cluster, OperandStages stages) {
            ClusterPlace.Pair pair = cluster.pair(b);
            Reg<B32> own = stages.pipeline().full().pointer(b, 0);
            return new PairBarriers(pair, b.mapToRank(own, pair.leaderRank()).base());
        }

        ClusterAddress full(CodeBuilder b, Reg<B32> slot) {
            return ClusterAddress.of(b.add(b.shl(slot, 3), fullBase));
        }
    }
}
