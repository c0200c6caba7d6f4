package dev.tilewright.gemm.raster;

import dev.tilewright.gemm.division.DivisorCode;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.raster.Raster;
import java.util.function.Function;

/**
 * {@link Raster#place} as PTX: once for each tile, by each role for itself. The shape and the order are parameters of
 * the kernel, so that one text serves all of them. Of the two divisions the first is by the tiles of a whole band, the
 * second by the extent of the tile's band, and only the last band may have another than all others: so the launch knows
 * all divisors, and the kernel need not divide. Before its first load a kernel does nothing that takes as long.
 *
 * @param bandTiles tiles of a whole band
 * @param group extent of a band
 * @param lastGroup extent of the last band
 * @param lastBand number of the last band, from 0
 * @param alongN 1 if bands are cut from N, 0 if from M
 */
public record RasterCode(
        DivisorCode bandTiles, DivisorCode group, DivisorCode lastGroup, Param lastBand, Param alongN) {

    /** @param raster order of the cluster tiles of a launch */
    public static <F> RasterCode declare(BoundParams<F> params, Function<F, Raster> raster) {
        return new RasterCode(
                DivisorCode.declare(
                        params, "bandTiles", facts -> raster.apply(facts).bandTiles()),
                DivisorCode.declare(
                        params, "rasterGroup", facts -> raster.apply(facts).group()),
                DivisorCode.declare(params, "lastGroup", facts -> lastGroup(raster.apply(facts))),
                params.u32("lastBand", facts -> raster.apply(facts).lastBand()),
                params.u32("rasterAlongN", facts -> raster.apply(facts).alongN() ? 1 : 0));
    }

    private static int lastGroup(Raster raster) {
        return raster.extent(raster.lastBand());
    }

    /** Row and column of a cluster tile. */
    public record Place(Reg<B32> m, Reg<B32> n) {}

    /** The place of a linear cluster tile. */
    public Place place(CodeBuilder b, Reg<B32> tile) {
        DivisorCode.Division byBand = bandTiles.load(b).divide(b, tile);
        Reg<B32> band = byBand.quotient();
        DivisorCode.Loaded whole = group.load(b);
        Reg<Pred> isLast = b.eq(band, b.param32(lastBand));
        DivisorCode.Division inBand =
                whole.orWhere(b, isLast, lastGroup.load(b)).divide(b, byBand.remainder());
        Reg<B32> across = inBand.quotient();
        Reg<B32> along = b.mad(band, whole.value(), inBand.remainder());
        Reg<Pred> ofN = b.ne(b.param32(alongN), 0);
        return new Place(b.select(ofN, across, along), b.select(ofN, along, across));
    }
}
