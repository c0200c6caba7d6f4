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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Adds up a tile whose pieces along K were multiplied by several CTAs. Every piece leaves its accumulators in global
 * memory, as they lie in the registers, and counts itself; the one that comes last finds those of all others, adds them
 * up and stores the tile. So nobody waits for anybody, in whatever order pieces are handed out and CTAs begin. Each
 * warpgroup does this for its own rows.
 *
 * <pre>
 *   all threads   store the accumulators
 *   warpgroup     meets
 *   thread 0      arrivals = (arrivals + 1) mod P, release and acquire: the old value of the last one is P-1
 *   warpgroup     meets; all learn whether it is the last one
 *   the last one  all threads load and add the sums of piece 0, 1, .. P-1; then the epilogue
 * </pre>
 *
 * <p>Which piece is the last one differs from launch to launch, the sum does not: it is taken in the order of the
 * pieces. Two pieces have but one order, so there the last one keeps its own sums and adds the other's.
 *
 * <p>Where clusters share tiles, these differ in how many pieces they have, some have one alone, and the others are
 * whole.
 *
 * <p>The count needs no reset between launches: with the P-th arrival it is 0 again. After a launch that was broken off
 * it must be zeroed.
 */
public final class PartialSums {

    private static final int THREADS = 128;
    /** Accumulators that a thread moves at a time. */
    private static final int VECTOR = 4;

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
     */
    public PartialSums(
            Sm90Config config,
            Param workspace,
            Param arrivals,
            ClusterPlace cluster,
            Optional<ShareCode> shares,
            Reg<B32> warpgroup,
            Reg<B32> thread) {
        this.config = config;
        this.workspace = workspace;
        this.arrivals = arrivals;
        this.cluster = cluster;
        this.shares = shares;
        this.warpgroup = warpgroup;
        this.thread = thread;
        barrier = new WarpgroupBarrier(config.consumers(), warpgroup);
    }

    /**
     * Leaves the sums of a piece; behind the last one of a tile the accumulators are those of the tile. All threads of
     * a warpgroup.
     *
     * @param piece its number among those of all tiles; those of a tile are neighbours
     * @param finish what to do with a tile that is added up, or whole
     */
    public void combine(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators, Consumer<CodeBuilder> finish) {
        shares.ifPresentOrElse(
                code -> combineShares(b, code, piece, accumulators, finish),
                () -> combineEven(b, piece, accumulators, finish));
    }

    private void combineEven(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators, Consumer<CodeBuilder> finish) {
        int pieces = config.splitK();
        leave(b, piece, accumulators);
        barrier.synchronize(b);
        Reg<Pred> last = b.pred();
        b.clear(last);
        b.ifThen(b.eq(thread, 0), one -> {
            Reg<B32> before = one.atom32(
                    Ordering.acqRel(Scope.GPU),
                    AtomicOperation.INC,
                    count(one, new Divisor(pieces).divide(one, piece)),
                    Immediate.b32(pieces - 1));
            one.eq(last, before, pieces - 1L);
        });
        b.ifThen(barrier.any(b, last), adds -> {
            Reg<B32> index = new Divisor(pieces).remainder(adds, piece);
            Reg<B32> first = adds.sub(piece, index);
            if (pieces == 2) {
                add(adds, start(adds, adds.add(first, adds.xor(index, 1))), accumulators);
            } else {
                // In a loop: of all loads at once the assembler keeps more under way than there are registers.
                Reg<B64> sums = start(adds, first);
                load(adds, sums, accumulators);
                adds.forRange("partial sums", 1, Immediate.b32(pieces), (w, next) -> {
                    w.add(sums, sums, (long) cluster.size() * tileBytes(config));
                    add(w, sums, accumulators);
                });
            }
            finish.accept(adds);
        });
    }

    /**
     * Whole tiles, and those that a cluster has for itself, need no sums. Into how many pieces another one is cut
     * follows from the clusters whose shares hold its first and its last block.
     */
    private void combineShares(
            CodeBuilder b, ShareCode code, Reg<B32> piece, List<Reg<F32>> accumulators, Consumer<CodeBuilder> finish) {
        Reg<Pred> finishes = b.notPred(code.isPiece(b, piece));
        b.ifNot(finishes, part -> {
            part.eq(finishes, code.others(part, piece), 0);
            part.ifNot(finishes, cut -> {
                leave(cut, piece, accumulators);
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
        b.ifThen(finishes, finish);
    }

    /** One loop for any number of pieces, so that the text has its loads once: with them twice the assembler spills. */
    private void addShares(CodeBuilder b, ShareCode code, Reg<B32> piece, List<Reg<F32>> accumulators) {
        Reg<B32> first = code.firstPiece(b, piece);
        Reg<B32> others = code.others(b, piece);
        Reg<B32> second = b.add(first, 1);
        Reg<Pred> two = b.eq(others, 1);
        b.ifNot(two, more -> load(more, start(more, first), accumulators));
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

    private void leave(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators) {
        Reg<B64> start = start(b, piece);
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            b.stVector(ScalarType.F32, vector(start, first), accumulators.subList(first, first + VECTOR));
        }
    }

    private static void load(CodeBuilder b, Reg<B64> start, List<Reg<F32>> accumulators) {
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            b.ldVector(ScalarType.F32, accumulators.subList(first, first + VECTOR), vector(start, first));
        }
    }

    private static void add(CodeBuilder b, Reg<B64> start, List<Reg<F32>> accumulators) {
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            List<Reg<F32>> left = List.of(b.f32(), b.f32(), b.f32(), b.f32());
            b.ldVector(ScalarType.F32, left, vector(start, first));
            for (int i = 0; i < VECTOR; i++) {
                Reg<F32> sum = accumulators.get(first + i);
                b.fadd(sum, sum, left.get(i));
            }
        }
    }

    /** Neighbouring threads have neighbouring vectors. */
    private static GlobalAddress vector(Reg<B64> start, int first) {
        return GlobalAddress.of(start).plus(first / VECTOR * THREADS * VECTOR_BYTES);
    }
}
