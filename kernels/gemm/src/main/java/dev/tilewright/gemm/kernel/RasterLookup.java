package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.Function;

/** The tiles of one GEMM: the place is computed, all else is the same for all. */
public record RasterLookup(KernelArguments arguments, ClusterPlace cluster) implements TileLookup {

    @Override
    public Found find(CodeBuilder b, Reg<B32> tile) {
        return new Found(TilePlace.of(b, arguments.raster(), cluster, tile), Optional.empty());
    }

    @Override
    public Depth depth(CodeBuilder b, Reg<B32> tile, Found found) {
        return new Depth(Optional.empty(), kBlocks(b));
    }

    @Override
    public Reg<B32> kBlocks(CodeBuilder b, Reg<B32> tile) {
        return kBlocks(b);
    }

    /** Of a whole tile. */
    Reg<B32> kBlocks(CodeBuilder b) {
        return b.param32(arguments.kBlocks());
    }

    @Override
    public Optional<Function<CodeBuilder, Reg<B32>>> commonKBlocks() {
        return Optional.of(this::kBlocks);
    }

    @Override
    public Maps maps(CodeBuilder b, Matrix matrix) {
        GenericAddress map = b.tensorMap(arguments.map(matrix));
        return (w, tile) -> map;
    }

    /** A parameter is the same for all proxies. */
    @Override
    public Acquiring acquiring(CodeBuilder b) {
        return (w, tile, maps, by) -> {};
    }

    @Override
    public Inside inside(CodeBuilder b) {
        Reg<B32> tilesM = b.param32(arguments.tilesM());
        Reg<B32> tilesN = b.param32(arguments.tilesN());
        return (w, tile) -> tile.place().isWithin(w, tilesM, tilesN);
    }
}
