package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Writes the {@link TraceLayout} of a traced twin: one thread of a CTA for each tile.
 *
 * @param buffer parameter: start of the records in global memory
 * @param records whether this thread is the one
 */
public record TileTrace(ClusterPlace cluster, Param buffer, Reg<Pred> records) {

    /**
     * When a tile is taken up: nanoseconds modulo 2^32. It is kept while the tile is multiplied, when registers are
     * scarcest, and no tile takes 4 s.
     */
    static Reg<B32> now(CodeBuilder b) {
        return b.special(SpecialRegister.GLOBALTIMER_LO);
    }

    /**
     * Writes the record of a tile whose stores have been issued.
     *
     * @param start from {@link #now}
     */
    void write(CodeBuilder b, TileWalk.Found tile, Reg<B32> start) {
        b.comment("trace: the record of the tile");
        b.ifThen(records, w -> {
            Reg<B32> index = w.mad(tile.number(), Immediate.b32(cluster.size()), cluster.rank(w));
            GlobalAddress at = GlobalAddress.of(w.madWide(index, TraceLayout.RECORD_BYTES, w.globalPointer(buffer)));
            w.red(
                    Ordering.relaxed(Scope.GPU),
                    AtomicOperation.ADD,
                    ScalarType.U32,
                    at.plus(TraceLayout.VISITS),
                    Immediate.b32(1));
            w.st32(at.plus(TraceLayout.SM_ID), w.special(SpecialRegister.SMID));
            w.st32(at.plus(TraceLayout.CTA), w.special(SpecialRegister.CTAID_X));
            w.st32(at.plus(TraceLayout.TILE_M), tile.place().m());
            w.st32(at.plus(TraceLayout.TILE_N), tile.place().n());
            Reg<B64> end = w.special64(SpecialRegister.GLOBALTIMER);
            Reg<B32> low = w.b32();
            Reg<B32> high = w.b32();
            w.unpack(low, high, end);
            w.st64(at.plus(TraceLayout.START_NS), w.sub(end, w.pack(w.sub(low, start), Immediate.b32(0))));
            w.st64(at.plus(TraceLayout.END_NS), end);
        });
    }

    /**
     * Counts a query whose answer gave no tile, at the record of the cluster's tile before it; one thread of a cluster.
     *
     * @param buffer parameter: start of the records in global memory
     */
    public static void failedQuery(CodeBuilder b, ClusterPlace cluster, Param buffer, Reg<B32> clusterTile) {
        Reg<B32> index = b.mulLo(clusterTile, cluster.size());
        GlobalAddress at = GlobalAddress.of(b.madWide(index, TraceLayout.RECORD_BYTES, b.globalPointer(buffer)));
        b.red(
                Ordering.relaxed(Scope.GPU),
                AtomicOperation.ADD,
                ScalarType.U32,
                at.plus(TraceLayout.FAILED_QUERIES),
                Immediate.b32(1));
    }
}
