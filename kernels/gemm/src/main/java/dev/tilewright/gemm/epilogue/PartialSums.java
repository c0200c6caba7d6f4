package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.function.Consumer;

/**
 * Adds up a tile whose pieces along K were multiplied by several CTAs. Every piece but the last leaves its accumulators
 * in global memory as they lie in the registers, and the CTA of the last one adds them to its own in the order of the
 * pieces, so that the sum is the same, bit by bit, each time. A warp hands over to the warp of the same index, which
 * has the same elements of the tile: no other warp waits.
 *
 * <pre>
 *   piece 0 .. P-2      all lanes   store the accumulators
 *                       the warp    meets
 *                       lane 0      arrivals += 1, release
 *   piece P-1           lane 0      waits until arrivals = P-1, acquire; arrivals = 0 for the next launch
 *                       the warp    meets
 *                       all lanes   add the sums of piece 0, 1, .. P-2; then the epilogue
 * </pre>
 *
 * <p>Nobody waits in a circle. A CTA multiplies its pieces in the order of their numbers, and the pieces that it waits
 * for have lower numbers. So of all pieces that are not done the one with the lowest number waits for none, once its
 * CTA runs; that it runs is for the launch rule to see to.
 */
public final class PartialSums {

    private static final int WARPS = 4;
    private static final int THREADS = 128;
    /** Accumulators that a thread moves at a time. */
    private static final int VECTOR = 4;

    private static final int VECTOR_BYTES = VECTOR * Float.BYTES;
    private static final int ARRIVALS_BYTES = 4;

    private final ClusterPlace cluster;
    private final int pieces;
    private final int tileBytes;
    private final int warps;
    private final Reg<B64> sums;
    private final Reg<B64> arrivals;
    private final Reg<Pred> speaks;

    /** Bytes that the warpgroups of a tile leave for a piece. */
    public static int tileBytes(Sm90Config config) {
        return config.tileM() * config.tileN() * Float.BYTES;
    }

    /** Warps of a CTA that share a tile. */
    public static int warps(Sm90Config config) {
        return WARPS * config.warpgroupsPerTile();
    }

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param workspace room for the sums of all pieces but the last of each tile
     * @param arrivals one u32 for each warp of each tile, zero before the first launch
     * @param warpgroup index among those that share a tile
     * @param threadInWarpgroup 0..127
     */
    public PartialSums(
            CodeBuilder b,
            Sm90Config config,
            Reg<B64> workspace,
            Reg<B64> arrivals,
            ClusterPlace cluster,
            Operand<B32> warpgroup,
            Reg<B32> threadInWarpgroup) {
        this.cluster = cluster;
        pieces = config.splitK();
        tileBytes = tileBytes(config);
        warps = warps(config);
        int ofWarpgroup = THREADS * config.accumulators() * Float.BYTES;
        Reg<B64> ofThread = b.madWide(threadInWarpgroup, VECTOR_BYTES, workspace);
        sums = warps == WARPS ? ofThread : b.madWide(warpgroup, ofWarpgroup, ofThread);
        Reg<B32> warp = b.shr(threadInWarpgroup, 5);
        Reg<B32> warpOfTile = warps == WARPS ? warp : b.mad(warpgroup, Immediate.b32(WARPS), warp);
        this.arrivals = b.madWide(warpOfTile, ARRIVALS_BYTES, arrivals);
        speaks = b.eq(b.special(SpecialRegister.LANEID), 0);
    }

    /**
     * Leaves the sums of a piece, or if it is the last of its tile, adds up the tile and goes on with it; all threads
     * of a warpgroup.
     *
     * @param number of the piece among those of all tiles
     * @param tile that it is of
     * @param index among the pieces of the tile
     * @param accumulators of the piece; when the tile is added up, of the tile
     * @param finish what to do with a tile that is added up
     */
    public void combine(
            CodeBuilder b,
            Reg<B32> number,
            Reg<B32> tile,
            Reg<B32> index,
            List<Reg<F32>> accumulators,
            Consumer<CodeBuilder> finish) {
        // Of each tile all pieces but one have a place.
        Reg<B32> place = b.sub(number, tile);
        GlobalAddress arrived =
                GlobalAddress.of(b.madWide(ofCta(b, tile), (long) warps * ARRIVALS_BYTES, arrivals));
        b.ifThenElse(
                b.eq(index, pieces - 1L),
                last -> {
                    await(last, arrived);
                    last.forRange("partial sums", last.sub(place, pieces - 1L), place, 1, (w, earlier) -> add(w, earlier, accumulators));
                    finish.accept(last);
                },
                other -> {
                    leave(other, place, accumulators);
                    other.syncWarp();
                    other.ifThen(
                            speaks,
                            lane -> lane.red(
                                    Ordering.release(Scope.GPU),
                                    AtomicOperation.ADD,
                                    ScalarType.U32,
                                    arrived,
                                    Immediate.b32(1)));
                });
    }

    private Reg<B32> ofCta(CodeBuilder b, Reg<B32> ofCluster) {
        return cluster.size() == 1 ? ofCluster : b.mad(ofCluster, Immediate.b32(cluster.size()), cluster.rank());
    }

    private Reg<B64> place(CodeBuilder b, Reg<B32> place) {
        return b.madWide(ofCta(b, place), tileBytes, sums);
    }

    private void leave(CodeBuilder b, Reg<B32> place, List<Reg<F32>> accumulators) {
        Reg<B64> start = place(b, place);
        for (int first = 0; first < accumulators.size(); first += VECTOR) {
            b.stVector(ScalarType.F32, vector(start, first), accumulators.subList(first, first + VECTOR));
        }
    }

    private void await(CodeBuilder b, GlobalAddress arrived) {
        b.ifThen(speaks, lane -> {
            lane.doWhile(
                    "pieces", again -> again.ne(again.ld32(Ordering.acquire(Scope.GPU), arrived), pieces - 1L));
            lane.st(
                    Ordering.relaxed(Scope.GPU),
                    CacheOperator.NONE,
                    ScalarType.U32,
                    arrived,
                    List.of(Immediate.b32(0)));
        });
        b.syncWarp();
    }

    private void add(CodeBuilder b, Reg<B32> place, List<Reg<F32>> accumulators) {
        Reg<B64> start = place(b, place);
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
