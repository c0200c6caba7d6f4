package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;

/** Row and column of a CTA tile. */
public record TilePlace(Reg<B32> m, Reg<B32> n) {

    /** The number of the tile along the rows of an operand. */
    public Reg<B32> along(OperandRole role) {
        return switch (role) {
            case A -> m;
            case B -> n;
        };
    }

    /** Whether its row and its column both lie before those of another one. */
    Reg<Pred> isBefore(CodeBuilder b, TilePlace end) {
        return b.andPred(b.lt(m, end.m), b.lt(n, end.n));
    }

    /** The CTA's tile of a cluster tile. */
    static TilePlace of(CodeBuilder b, RasterCode raster, ClusterPlace cluster, Reg<B32> clusterTile) {
        RasterCode.Place place = raster.place(b, clusterTile);
        return new TilePlace(
                inCluster(b, place.m(), cluster.rows(), cluster.m(b)),
                inCluster(b, place.n(), cluster.columns(), cluster.n(b)));
    }

    private static Reg<B32> inCluster(CodeBuilder b, Reg<B32> clusterTile, int extent, Operand<B32> own) {
        return extent == 1 ? clusterTile : b.mad(clusterTile, Immediate.b32(extent), own);
    }
}
