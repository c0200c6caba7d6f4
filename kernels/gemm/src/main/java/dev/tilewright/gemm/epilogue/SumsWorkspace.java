package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.mainloop.Warpgroup;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;

/**
 * Where pieces of tiles leave their sums and are counted. Sums lie as they do in the registers: of each piece, CTA and
 * warpgroup a line of vectors of four, that of a thread beside those of its neighbours.
 *
 * @param sums parameter: room for the sums of all pieces of all tiles
 * @param arrivals parameter: one u32 for each warpgroup of each tile, zero before the first launch
 */
public record SumsWorkspace(Sm90Config config, Param sums, Param arrivals, ClusterPlace cluster, Warpgroup own) {

    /** Accumulators that a thread moves at a time. */
    static final int VECTOR = 4;

    private static final int THREADS = 128;
    private static final int VECTOR_BYTES = VECTOR * Float.BYTES;
    private static final int ARRIVALS_BYTES = 4;

    /** Bytes that the warpgroups of a tile leave for a piece. */
    public static int tileBytes(Sm90Config config) {
        return config.multiply().tileM() * config.multiply().tileN() * Float.BYTES;
    }

    /** Bytes from a piece to the next one. */
    int pieceBytes() {
        return cluster.size() * tileBytes(config);
    }

    /** Address at which the pieces of a tile are counted. */
    GlobalAddress count(CodeBuilder b, Reg<B32> clusterTile) {
        Reg<B32> tile = ofCta(b, clusterTile);
        int warpgroups = config.multiply().warpgroupsPerTile();
        Reg<B32> counter = warpgroups == 1 ? tile : b.mad(tile, Immediate.b32(warpgroups), own.index());
        return GlobalAddress.of(b.madWide(counter, ARRIVALS_BYTES, b.globalPointer(arrivals)));
    }

    private Reg<B32> ofCta(CodeBuilder b, Reg<B32> ofCluster) {
        return cluster.size() == 1 ? ofCluster : b.mad(ofCluster, Immediate.b32(cluster.size()), cluster.rank(b));
    }

    /** Address of the first sums that a thread has of a piece. */
    Reg<B64> start(CodeBuilder b, Reg<B32> piece) {
        Reg<B64> ofTile = b.madWide(ofCta(b, piece), tileBytes(config), b.globalPointer(sums));
        int ofWarpgroup = THREADS * config.multiply().accumulators() * Float.BYTES;
        Reg<B64> first =
                config.multiply().warpgroupsPerTile() == 1 ? ofTile : b.madWide(own.index(), ofWarpgroup, ofTile);
        return b.madWide(own.thread(), VECTOR_BYTES, first);
    }

    /** @param from number of the accumulator that the first value is */
    static void leave(CodeBuilder b, GlobalAddress start, int from, List<Reg<F32>> values) {
        for (int first = 0; first < values.size(); first += VECTOR) {
            b.stVector(ScalarType.F32, vector(start, from + first), values.subList(first, first + VECTOR));
        }
    }

    /** @param place likewise */
    static void load(CodeBuilder b, GlobalAddress start, int from, List<Reg<F32>> values) {
        for (int first = 0; first < values.size(); first += VECTOR) {
            b.ldVector(ScalarType.F32, values.subList(first, first + VECTOR), vector(start, from + first));
        }
    }

    private static GlobalAddress vector(GlobalAddress start, int first) {
        return start.plus(first / VECTOR * THREADS * VECTOR_BYTES);
    }
}
