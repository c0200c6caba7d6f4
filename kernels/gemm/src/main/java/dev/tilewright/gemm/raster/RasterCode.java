package dev.tilewright.gemm.raster;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * {@link dev.tilewright.model.raster.BandRaster#place} as PTX: the two divisions are done once for each tile, by each
 * role for itself. The shape and the order come as kernel arguments, so that one text serves all of them.
 *
 * @param banded number of cluster tiles along the banded dimension, D1
 * @param group extent of a band, G
 * @param bandTiles tiles of a full band, G*D2
 * @param alongN whether D1 is N
 */
public record RasterCode(Reg<B32> banded, Reg<B32> group, Reg<B32> bandTiles, Reg<Pred> alongN) {

    /** Row and column of a cluster tile. */
    public record Place(Reg<B32> m, Reg<B32> n) {}

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param tilesM rows of cluster tiles
     * @param tilesN columns of cluster tiles
     * @param group extent of a band, 1..D1
     * @param alongN 1 if D1 is N, 0 if it is M
     */
    public static RasterCode of(CodeBuilder b, Reg<B32> tilesM, Reg<B32> tilesN, Reg<B32> group, Reg<B32> alongN) {
        Reg<Pred> along = b.ne(alongN, 0);
        Reg<B32> banded = b.select(along, tilesN, tilesM);
        Reg<B32> other = b.select(along, tilesM, tilesN);
        return new RasterCode(banded, group, b.mulLo(group, other), along);
    }

    /** The place of a linear cluster tile. */
    public Place place(CodeBuilder b, Reg<B32> tile) {
        Reg<B32> band = b.div(tile, bandTiles);
        Reg<B32> rest = b.sub(tile, b.mulLo(band, bandTiles));
        Reg<B32> first = b.mulLo(band, group);
        Reg<B32> extent = b.min(b.sub(banded, first), group);
        Reg<B32> across = b.div(rest, extent);
        Reg<B32> along = b.add(first, b.sub(rest, b.mulLo(across, extent)));
        return new Place(b.select(alongN, across, along), b.select(alongN, along, across));
    }
}
