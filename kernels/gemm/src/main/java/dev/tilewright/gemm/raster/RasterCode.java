package dev.tilewright.gemm.raster;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * {@link dev.tilewright.model.raster.BandRaster#place} as PTX: the two divisions are done once for each tile, by each
 * role for itself. The shape and the order are parameters of the kernel, so that one text serves all of them.
 *
 * @param tilesM rows of cluster tiles
 * @param tilesN columns of cluster tiles
 * @param group extent of a band, 1..D1
 * @param alongN 1 if bands are cut from N, D1 = N, 0 if from M
 */
public record RasterCode(Param tilesM, Param tilesN, Param group, Param alongN) {

    /** Row and column of a cluster tile. */
    public record Place(Reg<B32> m, Reg<B32> n) {}

    /** The place of a linear cluster tile. */
    public Place place(CodeBuilder b, Reg<B32> tile) {
        Reg<Pred> ofN = b.ne(b.param32(alongN), 0);
        Reg<B32> m = b.param32(tilesM);
        Reg<B32> n = b.param32(tilesN);
        Reg<B32> full = b.param32(group);
        Reg<B32> bandTiles = b.mulLo(full, b.select(ofN, m, n));
        Reg<B32> band = b.div(tile, bandTiles);
        Reg<B32> rest = b.sub(tile, b.mulLo(band, bandTiles));
        Reg<B32> first = b.mulLo(band, full);
        Reg<B32> extent = b.min(b.sub(b.select(ofN, n, m), first), full);
        Reg<B32> across = b.div(rest, extent);
        Reg<B32> along = b.add(first, b.sub(rest, b.mulLo(across, extent)));
        return new Place(b.select(ofN, across, along), b.select(ofN, along, across));
    }
}
