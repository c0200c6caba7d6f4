package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Adds up a tile whose P pieces along K were multiplied by several CTAs. Panel p belongs to piece p mod P. Every piece
 * leaves the accumulators of all panels but its own, as they lie in the registers, and counts itself
 * ({@link PieceCount}). Those that are there when all have come add up their own panels and store them; who gives up
 * leaves these too, and the last one adds them up.
 *
 * <p>Nobody depends on a piece that has not begun, in whatever order pieces are handed out and CTAs begin. Who adds up
 * differs from launch to launch. The sum does not: its order does not depend on that. Each warpgroup does this for its
 * part of the tile.
 *
 * <pre>
 *   all threads   store the accumulators of the others' panels
 *   warpgroup     meets
 *   thread 0      counts the piece, release and acquire; its duties: the panels of which pieces are added up here
 *   warpgroup     is told the duties
 *   all threads   of each such panel load and add the sums of its piece and of the next ones, once around; store it
 * </pre>
 */
public final class WorkspaceReduction implements Reduction {

    /** Of 16 bytes a thread, under way at a time where pieces are added up. */
    private static final int MOST_VECTORS = 16;

    /** Registers beside accumulators and vectors with which the assembler did not spill. */
    private static final int MARGIN = 64;

    private final Sm90Config config;
    private final SumsWorkspace workspace;
    private final TmaStoreEpilogue epilogue;
    private final WarpgroupBarrier barrier;
    private final List<TilePanel> panels;

    /**
     * Prepares nothing: what is needed is computed for each tile anew, behind the mainloop, whose accumulators leave
     * few registers.
     *
     * @param epilogue of the warpgroup
     */
    public WorkspaceReduction(Sm90Config config, SumsWorkspace workspace, TmaStoreEpilogue epilogue) {
        this.config = config;
        this.workspace = workspace;
        this.epilogue = epilogue;
        barrier = epilogue.barrier();
        panels = TilePanel.of(config);
    }

    /**
     * Leaves the sums of a piece, and stores what of the tile is to be added up here. A piece keeps the sums of its own
     * panels in its registers, unless it gives them up.
     */
    @Override
    public void store(CodeBuilder b, TileWalk.Found found, List<Reg<F32>> accumulators) {
        b.comment("reduction: the sums of the piece go to the workspace");
        Reg<B32> piece = found.number();
        Reg<B32> tile = new Divisor(config.split().pieces()).divide(b, piece);
        Reg<B32> first = b.mulLo(tile, config.split().pieces());
        Reg<B32> index = b.sub(piece, first);
        int owners = Math.min(config.split().pieces(), panels.size());
        PieceCount count = new PieceCount(config.split().pieces(), owners, workspace.count(b, tile), index);
        leave(b, piece, index, accumulators, false);
        barrier.synchronize(b);
        Reg<Pred> counts = b.eq(workspace.own().thread(), 0);
        Reg<B32> mine = b.mov(Immediate.b32(0));
        b.ifThen(counts, one -> count.arrive(one, mine));
        Reg<B32> duties = epilogue.tell(b, mine);
        b.ifThen(b.eq(duties, PieceCount.GIVES_UP), leaves -> {
            leave(leaves, piece, index, accumulators, true);
            barrier.synchronize(leaves);
            leaves.ifThen(counts, one -> count.giveUp(one, mine));
            leaves.mov(duties, epilogue.tell(leaves, mine));
        });
        b.ifThen(b.ne(duties, 0), adds -> {
            adds.comment("reduction: the panels that are added up here");
            Reg<B64> sums = workspace.start(adds, adds.add(first, middle()));
            PanelSums ofOwned = (w, panel, values, store) -> {
                int owner = owner(panel);
                w.ifThen(w.ne(w.and(duties, 1L << owner), 0), a -> {
                    addPieces(a, sums, owner, a.eq(index, owner), panel.firstAccumulator(), values);
                    store.accept(a);
                });
            };
            epilogue.store(adds, found, accumulators, Optional.of(ofOwned));
        });
    }

    /** The index of the piece whose panel it is. */
    private int owner(TilePanel panel) {
        return panel.index() % config.split().pieces();
    }

    /** @param own whether to leave the sums of the own panels, or those of all others */
    private void leave(CodeBuilder b, Reg<B32> piece, Reg<B32> index, List<Reg<F32>> accumulators, boolean own) {
        GlobalAddress start = GlobalAddress.of(workspace.start(b, piece));
        for (TilePanel panel : panels) {
            Reg<Pred> owns = b.eq(index, owner(panel));
            Consumer<CodeBuilder> leave =
                    g -> SumsWorkspace.leave(g, start, panel.firstAccumulator(), panel.in(accumulators));
            if (own) {
                b.guarded(owns, leave);
            } else {
                b.guardedNot(owns, leave);
            }
        }
    }

    /**
     * From the owner of the panel on, once around, some vectors at a time: the loads of all would take more registers
     * than there are.
     *
     * @param owns whether this piece is the owner, and has its sums in the registers
     */
    private void addPieces(
            CodeBuilder b, Reg<B64> sums, int owner, Reg<Pred> owns, int firstAccumulator, List<Reg<F32>> values) {
        List<GlobalAddress> others = IntStream.range(
                        owner + 1, owner + config.split().pieces())
                .mapToObj(next -> ofPiece(sums, next % config.split().pieces()))
                .toList();
        int vectors = vectorsAtATime();
        int step = Math.max(1, vectors / others.size()) * SumsWorkspace.VECTOR;
        for (int first = 0; first < values.size(); first += step) {
            List<Reg<F32>> some = values.subList(first, Math.min(first + step, values.size()));
            int place = firstAccumulator + first;
            b.guardedNot(owns, g -> SumsWorkspace.load(g, ofPiece(sums, owner), place, some));
            for (int next = 0; next < others.size(); next += vectors) {
                addAll(b, others.subList(next, Math.min(next + vectors, others.size())), place, some);
            }
        }
    }

    /** The loads of all of these pieces before the first sum. */
    private static void addAll(CodeBuilder b, List<GlobalAddress> pieces, int place, List<Reg<F32>> values) {
        List<List<Reg<F32>>> loaded = new ArrayList<>();
        for (GlobalAddress piece : pieces) {
            List<Reg<F32>> left = values.stream().map(_ -> b.f32()).toList();
            SumsWorkspace.load(b, piece, place, left);
            loaded.add(left);
        }
        for (List<Reg<F32>> left : loaded) {
            for (int i = 0; i < left.size(); i++) {
                b.fadd(values.get(i), values.get(i), left.get(i));
            }
        }
    }

    private int vectorsAtATime() {
        int spare = config.multiply().consumerRegisters() - config.multiply().accumulators() - MARGIN;
        return Math.clamp(spare / SumsWorkspace.VECTOR, 1, MOST_VECTORS);
    }

    /**
     * The piece from which the others are reached: an instruction reaches 8 MiB either way, and the address of what is
     * farther takes two registers, where there are none to spare.
     */
    private int middle() {
        return config.split().pieces() / 2;
    }

    /** @param sums of the middle piece */
    private GlobalAddress ofPiece(Reg<B64> sums, int piece) {
        return GlobalAddress.of(sums).plus(Math.multiplyExact(piece - middle(), workspace.pieceBytes()));
    }
}
