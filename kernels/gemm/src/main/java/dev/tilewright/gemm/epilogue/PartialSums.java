package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
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
import java.util.function.Consumer;

/**
 * Adds up a tile whose pieces along K were multiplied by several CTAs. Every piece leaves its accumulators in global
 * memory, as they lie in the registers, and counts itself; the one that comes last finds those of all others, adds
 * them up and stores the tile. So nobody waits for anybody, in whatever order pieces are handed out and CTAs begin. Each
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
 * <p>Which piece is the last one differs from launch to launch, the sum does not: it is taken in the order of the pieces.
 * Two pieces have but one order, so there the last one keeps its own sums and adds the other's.
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

    private final ClusterPlace cluster;
    private final int pieces;
    private final int tileBytes;
    private final int tileWarpgroups;
    private final Reg<B64> sums;
    private final Reg<B64> arrivals;
    private final Reg<Pred> counts;
    private final WarpgroupBarrier barrier;

    /** Bytes that the warpgroups of a tile leave for a piece. */
    public static int tileBytes(Sm90Config config) {
        return config.tileM() * config.tileN() * Float.BYTES;
    }

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param workspace room for the sums of all pieces of all tiles
     * @param arrivals one u32 for each warpgroup of each tile, zero before the first launch
     * @param warpgroup index among the consumers
     * @param threadInWarpgroup 0..127
     */
    public PartialSums(
            CodeBuilder b,
            Sm90Config config,
            Reg<B64> workspace,
            Reg<B64> arrivals,
            ClusterPlace cluster,
            Reg<B32> warpgroup,
            Reg<B32> threadInWarpgroup) {
        this.cluster = cluster;
        pieces = config.splitK();
        tileBytes = tileBytes(config);
        tileWarpgroups = config.warpgroupsPerTile();
        Reg<B64> ofThread = b.madWide(threadInWarpgroup, VECTOR_BYTES, workspace);
        int ofWarpgroup = THREADS * config.accumulators() * Float.BYTES;
        sums = tileWarpgroups == 1 ? ofThread : b.madWide(warpgroup, ofWarpgroup, ofThread);
        this.arrivals = tileWarpgroups == 1 ? arrivals : b.madWide(warpgroup, ARRIVALS_BYTES, arrivals);
        counts = b.eq(threadInWarpgroup, 0);
        barrier = new WarpgroupBarrier(config.consumers(), warpgroup);
    }

    /**
     * Leaves the sums of a piece; behind the last one of a tile the accumulators are those of the tile. All threads of
     * a warpgroup.
     *
     * @param number of the piece among those of all tiles; those of a tile are neighbours
     * @param tile that it is of
     * @param index among the pieces of the tile
     * @param finish what to do with a tile that is added up
     */
    public void combine(
            CodeBuilder b,
            Reg<B32> number,
            Reg<B32> tile,
            Reg<B32> index,
            List<Reg<F32>> accumulators,
            Consumer<CodeBuilder> finish) {
        leave(b, number, accumulators);
        barrier.synchronize(b);
        Reg<Pred> last = b.pred();
        b.ne(last, index, index);
        b.ifThen(counts, thread -> {
            GlobalAddress arrived = GlobalAddress.of(
                    thread.madWide(ofCta(thread, tile), (long) tileWarpgroups * ARRIVALS_BYTES, arrivals));
            Reg<B32> before = thread.atom32(
                    Ordering.acqRel(Scope.GPU), AtomicOperation.INC, arrived, Immediate.b32(pieces - 1));
            thread.eq(last, before, pieces - 1L);
        });
        b.ifThen(barrier.any(b, last), adds -> {
            Reg<B32> first = adds.sub(number, index);
            if (pieces == 2) {
                Reg<B32> other = adds.add(first, adds.xor(index, 1));
                add(adds, other, accumulators);
            } else {
                load(adds, first, accumulators);
                adds.forRange("partial sums", adds.add(first, 1), adds.add(first, pieces), 1, (w, next) -> add(w, next, accumulators));
            }
            finish.accept(adds);
        });
    }

    private Reg<B32> ofCta(CodeBuilder b, Reg<B32> ofCluster) {
        return cluster.size() == 1 ? ofCluster : b.mad(ofCluster, Immediate.b32(cluster.size()), cluster.rank());
    }

    private Reg<B64> start(CodeBuilder b, Reg<B32> number) {
        return b.madWide(ofCta(b, number), tileBytes, sums);
    }

    private void leave(CodeBuilder b, Reg<B32> number, List<Reg<F32>> accumulators) {
        Reg<B64> start = start(b, number);
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            b.stVector(ScalarType.F32, vector(start, first), accumulators.subList(first, first + VECTOR));
        }
    }

    private void load(CodeBuilder b, Reg<B32> number, List<Reg<F32>> accumulators) {
        Reg<B64> start = start(b, number);
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            b.ldVector(ScalarType.F32, accumulators.subList(first, first + VECTOR), vector(start, first));
        }
    }

    private void add(CodeBuilder b, Reg<B32> number, List<Reg<F32>> accumulators) {
        Reg<B64> start = start(b, number);
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
