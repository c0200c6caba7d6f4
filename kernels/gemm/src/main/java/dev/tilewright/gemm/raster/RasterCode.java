package dev.tilewright.gemm.raster;

import dev.tilewright.gemm.division.DivisorCode;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.raster.Raster;
import java.util.ArrayList;
import java.util.List;

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

    public static RasterCode declare(EntryBuilder entry) {
        return new RasterCode(
                DivisorCode.declare(entry, "bandTiles"),
                DivisorCode.declare(entry, "rasterGroup"),
                DivisorCode.declare(entry, "lastGroup"),
                entry.u32("lastBand"),
                entry.u32("rasterAlongN"));
    }

    /** The arguments of these parameters, in their order. */
    public static List<Argument> arguments(Raster raster) {
        List<Argument> arguments = new ArrayList<>();
        arguments.addAll(DivisorCode.arguments(raster.bandTiles()));
        arguments.addAll(DivisorCode.arguments(raster.group()));
        arguments.addAll(DivisorCode.arguments(raster.extent(raster.lastBand())));
        arguments.add(new Argument.U32(raster.lastBand()));
        arguments.add(new Argument.U32(raster.alongN() ? 1 : 0));
        return arguments;
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
