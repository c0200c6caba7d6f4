package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.ShareCode;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Adds up a tile whose pieces along K were multiplied by several CTAs. Panel p belongs to piece p mod P. Every piece
 * leaves the accumulators of all panels but its own in global memory, as they lie in the registers, and counts itself
 * ({@link PieceCount}). Those that are there when all have come add up their own panels and store them; who gives up
 * leaves these too, and the last one adds them up. Nobody depends on a piece that has not begun, in whatever order
 * pieces are handed out and CTAs begin. Each warpgroup does this for its own rows.
 *
 * <pre>
 *   all threads   store the accumulators of the others' panels
 *   warpgroup     meets
 *   thread 0      counts the piece, release and acquire; its duties: the panels of which pieces are added up here
 *   warpgroup     is told the duties
 *   all threads   of each such panel load and add the sums of its piece and of the next ones, once around; store it
 * </pre>
 *
 * <p>Who adds up a panel differs from launch to launch, the sum does not: its order does not depend on that.
 *
 * <p>Where clusters share tiles, these differ in how many pieces they have, some have one alone, and the others are
 * whole. There the last one adds up all panels, and tells it from its count, which is 0 again with the last arrival.
 */
public final class PartialSums {

    private static final int THREADS = 128;
    /** Accumulators that a thread moves at a time. */
    private static final int VECTOR = 4;

    /** Of 16 bytes a thread, under way at a time where pieces are added up. */
    private static final int MOST_VECTORS = 16;

    /** Registers that a thread has in use there, beside those vectors and the accumulators. */
    private static final int WORKING = 64;

    private static final int VECTOR_BYTES = VECTOR * Float.BYTES;
    private static final int ARRIVALS_BYTES = 4;

    private final Sm90Config config;
    private final Param workspace;
    private final Param arrivals;
    private final ClusterPlace cluster;
    private final Optional<ShareCode> shares;
    private final Reg<B32> warpgroup;
    private final Reg<B32> thread;
    private final WarpgroupBarrier barrier;
    private final TmaStoreEpilogue epilogue;
    private final List<TilePanel> panels;

    /** Stores a tile. */
    @FunctionalInterface
    public interface Finish {

        /** @param sums where the panels are yet to be added up, each of them somewhere; absent if all are, here */
        void store(CodeBuilder b, Optional<PanelSums> sums);
    }

    /** Bytes that the warpgroups of a tile leave for a piece. */
    public static int tileBytes(Sm90Config config) {
        return config.tileM() * config.tileN() * Float.BYTES;
    }

    /**
     * Prepares nothing: what it needs it reckons for each tile anew, behind the mainloop, whose accumulators leave few
     * registers.
     *
     * @param workspace room for the sums of all pieces of all tiles
     * @param arrivals one u32 for each warpgroup of each tile, zero before the first launch
     * @param shares where clusters share tiles; absent if all tiles are cut alike
     * @param warpgroup index among the consumers
     * @param thread 0..127, in the warpgroup
     * @param epilogue of the warpgroup
     */
    public PartialSums(
            Sm90Config config,
            Param workspace,
            Param arrivals,
            ClusterPlace cluster,
            Optional<ShareCode> shares,
            Reg<B32> warpgroup,
            Reg<B32> thread,
            TmaStoreEpilogue epilogue) {
        this.config = config;
        this.workspace = workspace;
        this.arrivals = arrivals;
        this.cluster = cluster;
        this.shares = shares;
        this.warpgroup = warpgroup;
        this.thread = thread;
        this.epilogue = epilogue;
        panels = TilePanel.of(config);
        barrier = new WarpgroupBarrier(config.consumers(), warpgroup);
    }

    /**
     * Leaves the sums of a piece, and stores what of the tile is to be added up here. All threads of a warpgroup.
     *
     * @param piece its number among those of all tiles; those of a tile are neighbours
     * @param finish what to do with a tile that is added up, or whole, or with those panels of it that are
     */
    public void combine(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators, Finish finish) {
        shares.ifPresentOrElse(
                code -> combineShares(b, code, piece, accumulators, finish),
                () -> combineEven(b, piece, accumulators, finish));
    }

    /** A piece keeps the sums of its own panels in its registers, unless it gives them up. */
    private void combineEven(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators, Finish finish) {
        Reg<B32> tile = new Divisor(config.splitK()).divide(b, piece);
        Reg<B32> first = b.mulLo(tile, config.splitK());
        Reg<B32> index = b.sub(piece, first);
        int owners = Math.min(config.splitK(), panels.size());
        PieceCount count = new PieceCount(config.splitK(), owners, count(b, tile), index);
        leaveOwned(b, piece, index, accumulators, false);
        barrier.synchronize(b);
        Reg<Pred> counts = b.eq(thread, 0);
        Reg<B32> mine = b.mov(Immediate.b32(0));
        b.ifThen(counts, one -> count.arrive(one, mine));
        Reg<B32> duties = epilogue.tell(b, mine);
        b.ifThen(b.eq(duties, PieceCount.GIVES_UP), leaves -> {
            leaveOwned(leaves, piece, index, accumulators, true);
            barrier.synchronize(leaves);
            leaves.ifThen(counts, one -> count.giveUp(one, mine));
            leaves.mov(duties, epilogue.tell(leaves, mine));
        });
        b.ifThen(b.ne(duties, 0), adds -> {
            Reg<B64> sums = start(adds, adds.add(first, middle()));
            finish.store(adds, Optional.of((w, panel, values, store) -> {
                int owner = owner(panel);
                w.ifThen(w.ne(w.and(duties, 1L << owner), 0), a -> {
                    addPieces(a, sums, owner, a.eq(index, owner), panel.firstAccumulator(), values);
                    store.accept(a);
                });
            }));
        });
    }

    /**
     * From the owner of the panel on, once around, some vectors at a time: the loads of all would take more registers
     * than there are.
     *
     * @param owns whether this piece is the owner, and has its sums in the registers
     */
    private void addPieces(
            CodeBuilder b, Reg<B64> sums, int owner, Reg<Pred> owns, int firstAccumulator, List<Reg<F32>> values) {
        int step = Math.max(1, vectorsAtATime() / (config.splitK() - 1)) * VECTOR;
        for (int first = 0; first < values.size(); first += step) {
            List<Reg<F32>> some = values.subList(first, Math.min(first + step, values.size()));
            int place = firstAccumulator + first;
            b.guardedNot(owns, g -> load(g, ofPiece(sums, owner), place, some));
            List<List<Reg<F32>>> others = new ArrayList<>();
            for (int next = 1; next < config.splitK(); next++) {
                List<Reg<F32>> left = some.stream().map(_ -> b.f32()).toList();
                load(b, ofPiece(sums, (owner + next) % config.splitK()), place, left);
                others.add(left);
            }
            for (List<Reg<F32>> left : others) {
                for (int i = 0; i < left.size(); i++) {
                    b.fadd(some.get(i), some.get(i), left.get(i));
                }
            }
        }
    }

    /** The index of the piece whose panel it is. */
    private int owner(TilePanel panel) {
        return panel.index() % config.splitK();
    }

    private int vectorsAtATime() {
        int spare = config.consumerRegisters() - config.accumulators() - WORKING;
        return Math.clamp(spare / VECTOR, 1, MOST_VECTORS);
    }

    /**
     * The piece from which the others are reached: an instruction reaches 8 MiB either way, and the address of what is
     * farther takes two registers, where there are none to spare.
     */
    private int middle() {
        return config.splitK() / 2;
    }

    /** @param sums of the middle piece */
    private GlobalAddress ofPiece(Reg<B64> sums, int piece) {
        return GlobalAddress.of(sums).plus(Math.multiplyExact(piece - middle(), cluster.size() * tileBytes(config)));
    }

    /** @param own whether to leave the sums of the own panels, or those of all others */
    private void leaveOwned(CodeBuilder b, Reg<B32> piece, Reg<B32> index, List<Reg<F32>> accumulators, boolean own) {
        GlobalAddress start = GlobalAddress.of(start(b, piece));
        for (TilePanel panel : panels) {
            Reg<Pred> owns = b.eq(index, owner(panel));
            Consumer<CodeBuilder> leave = g -> leave(g, start, panel.firstAccumulator(), panel.in(accumulators));
            if (own) {
                b.guarded(owns, leave);
            } else {
                b.guardedNot(owns, leave);
            }
        }
    }

    /**
     * Whole tiles, and those that a cluster has for itself, need no sums. Into how many pieces another one is cut
     * follows from the clusters whose shares hold its first and its last block.
     */
    private void combineShares(
            CodeBuilder b, ShareCode code, Reg<B32> piece, List<Reg<F32>> accumulators, Finish finish) {
        Reg<Pred> finishes = b.notPred(code.isPiece(b, piece));
        b.ifNot(finishes, part -> {
            part.eq(finishes, code.others(part, piece), 0);
            part.ifNot(finishes, cut -> {
                leave(cut, GlobalAddress.of(start(cut, piece)), 0, accumulators);
                barrier.synchronize(cut);
                cut.ifThen(cut.eq(thread, 0), one -> {
                    Reg<B32> others = code.others(one, piece);
                    Reg<B32> before = one.atom32(
                            Ordering.acqRel(Scope.GPU),
                            AtomicOperation.INC,
                            count(one, code.sharedTile(one, piece)),
                            others);
                    one.eq(finishes, before, others);
                });
                Reg<Pred> any = barrier.any(cut, finishes);
                cut.orPred(finishes, any, any);
                cut.ifThen(finishes, adds -> addShares(adds, code, piece, accumulators));
            });
        });
        b.ifThen(finishes, w -> finish.store(w, Optional.empty()));
    }

    /** One loop for any number of pieces, so that the text has its loads once: with them twice the assembler spills. */
    private void addShares(CodeBuilder b, ShareCode code, Reg<B32> piece, List<Reg<F32>> accumulators) {
        Reg<B32> first = code.firstPiece(b, piece);
        Reg<B32> others = code.others(b, piece);
        Reg<B32> second = b.add(first, 1);
        Reg<Pred> two = b.eq(others, 1);
        b.ifNot(two, more -> load(more, GlobalAddress.of(start(more, first)), 0, accumulators));
        Reg<B64> sums = start(b, b.select(two, b.sub(b.add(first, second), piece), second));
        b.doWhile("shared sums", w -> {
            add(w, sums, accumulators);
            w.add(sums, sums, (long) cluster.size() * tileBytes(config));
            w.sub(others, others, 1);
            return w.ne(others, 0);
        });
    }

    /** Where the pieces of a tile are counted. */
    private GlobalAddress count(CodeBuilder b, Reg<B32> clusterTile) {
        Reg<B32> tile = ofCta(b, clusterTile);
        int warpgroups = config.warpgroupsPerTile();
        Reg<B32> counter = warpgroups == 1 ? tile : b.mad(tile, Immediate.b32(warpgroups), warpgroup);
        return GlobalAddress.of(b.madWide(counter, ARRIVALS_BYTES, b.globalPointer(arrivals)));
    }

    private Reg<B32> ofCta(CodeBuilder b, Reg<B32> ofCluster) {
        return cluster.size() == 1 ? ofCluster : b.mad(ofCluster, Immediate.b32(cluster.size()), cluster.rank(b));
    }

    /** Where a thread has its first sums of a piece. */
    private Reg<B64> start(CodeBuilder b, Reg<B32> piece) {
        Reg<B64> sums = b.madWide(ofCta(b, piece), tileBytes(config), b.globalPointer(workspace));
        int ofWarpgroup = THREADS * config.accumulators() * Float.BYTES;
        Reg<B64> own = config.warpgroupsPerTile() == 1 ? sums : b.madWide(warpgroup, ofWarpgroup, sums);
        return b.madWide(thread, VECTOR_BYTES, own);
    }

    /** @param place of the first value among the accumulators */
    private static void leave(CodeBuilder b, GlobalAddress start, int place, List<Reg<F32>> values) {
        for (int first = 0; first < values.size(); first += VECTOR) {
            b.stVector(ScalarType.F32, vector(start, place + first), values.subList(first, first + VECTOR));
        }
    }

    private static void load(CodeBuilder b, GlobalAddress start, int place, List<Reg<F32>> values) {
        for (int first = 0; first < values.size(); first += VECTOR) {
            b.ldVector(ScalarType.F32, values.subList(first, first + VECTOR), vector(start, place + first));
        }
    }

    private static void add(CodeBuilder b, Reg<B64> start, List<Reg<F32>> accumulators) {
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            List<Reg<F32>> left = List.of(b.f32(), b.f32(), b.f32(), b.f32());
            b.ldVector(ScalarType.F32, left, vector(GlobalAddress.of(start), first));
            for (int i = 0; i < VECTOR; i++) {
                Reg<F32> sum = accumulators.get(first + i);
                b.fadd(sum, sum, left.get(i));
            }
        }
    }

    /** Neighbouring threads have neighbouring vectors. */
    private static GlobalAddress vector(GlobalAddress start, int first) {
        return start.plus(first / VECTOR * THREADS * VECTOR_BYTES);
    }
}
