package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.family.L2Hint;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The loading side of the K loop: ONE thread. In a cluster with multicast, CTAs of a row share A and those of a column
 * share B: each loads its slice of the rows and sends it to all of them, so that every CTA issues the same number of
 * loads; rows that cannot be cut into slices are loaded in alternation. Boxes outside the operands arrive as zeros and
 * count in full, so that tails need no code.
 *
 * <p>In a pair each CTA loads its own rows of A and its own half of B into its own shared memory, but all bytes are
 * counted on the barrier of the leader, who multiplies for both.
 */
public final class TmaLoader {

    private final OperandStages stages;
    private final StageLayout layout;
    private final ClusterSharing sharing;
    private final List<LoadedOperand> operands;
    private final Optional<PairBarriers> pair;
    private final Optional<TimerTick> tick;
    private final Ordering announcing;
    private final PipelineState state;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param tick at which a block is asked for; absent: as soon as its stage is free
     * @param announcing how the bytes of a stage are announced; the thread has nothing to hand over, but relaxed
     *     arrivals need PTX ISA 8.6
     */
    public TmaLoader(
            CodeBuilder b,
            OperandStages stages,
            ClusterSharing sharing,
            L2Hint hint,
            Optional<TimerTick> tick,
            Ordering announcing,
            ClusterPlace cluster) {
        this.stages = stages;
        this.tick = tick;
        this.announcing = announcing;
        this.layout = stages.layout();
        this.sharing = sharing;
        operands = layout.tiles().stream()
                .map(tile -> LoadedOperand.of(b, tile, sharing, cluster, hint))
                .toList();
        pair = switch (sharing.group()) {
            case ONE -> Optional.empty();
            case TWO -> Optional.of(PairBarriers.of(b, cluster, stages));
        };
        state = stages.pipeline().producerState(b);
    }

    /**
     * The source of an operand's tile.
     *
     * @param row first row of the CTA's tile in the operand
     * @param map of the operand, its box that of {@link OperandTile#boxLines()} lines of one span of the swizzle
     */
    public record Origin(Reg<B32> row, GenericAddress map) {}

    /**
     * Loads all k blocks of a tile, or of a piece of one.
     *
     * @param origins of the operands, in the order of the stage
     * @param firstBlock blocks of K before the first that is loaded; absent if there are none
     * @param kBlocks at least 1
     */
    public void load(CodeBuilder b, List<Origin> origins, Optional<Reg<B32>> firstBlock, Reg<B32> kBlocks) {
        List<LoadedOperand.Boxes> boxes = IntStream.range(0, operands.size())
                .mapToObj(i -> operands.get(i).boxes(b, origins.get(i), stages.stages()))
                .toList();
        Reg<B32> k = b.b32();
        firstBlock.ifPresentOrElse(first -> b.mulLo(k, first, layout.tileK()), () -> b.mov(k, 0));
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        b.doWhile("load k", w -> {
            SharedAddress full = stages.pipeline().producerAcquire(w, Ordering.DEFAULT, state);
            tick.ifPresent(timer -> timer.await(w));
            pair.ifPresentOrElse(
                    leader -> w.guarded(leader.pair().isLeader(), g -> announce(g, full, 2 * layout.bytes())),
                    () -> announce(w, full, layout.bytes()));
            List<SharedAddress> slots = boxes.stream()
                    .map(box -> stages.inSlot(w, box.base(), state.slot())
                            .plus(layout.offset(box.operand().tile().role())))
                    .toList();
            for (int panel = 0; panel < layout.panels(); panel++) {
                Reg<B32> at = panel == 0 ? k : w.add(k, (long) panel * layout.panelDepth());
                for (int i = 0; i < boxes.size(); i++) {
                    load(w, boxes.get(i), slots.get(i), panel, block, at, full);
                }
            }
            state.advance(w);
            w.add(k, k, layout.tileK());
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
    }

    private void load(
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
        b.with(new Mbarrier.ArriveExpectTx(announcing, full, Immediate.b32(bytes)));
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
