package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;

/** The tiles of one GEMM: the place is computed, all else is the same for all. */
public record RasterLookup(KernelArguments arguments, TilePlace.Finder places, Reg<B32> kBlocks) implements TileLookup {

    @Override
    public void prefetchMaps(CodeBuilder b) {
        b.prefetchTensorMap(b.tensorMap(arguments.mapA()));
        b.prefetchTensorMap(b.tensorMap(arguments.mapB()));
        b.prefetchTensorMap(b.tensorMap(arguments.mapD()));
    }

    @Override
    public Found find(CodeBuilder b, Reg<B32> tile) {
        return new Found(places.of(b, tile), kBlocks, Optional.empty(), Optional.empty());
    }

    @Override
    public Reg<B32> kBlocks(CodeBuilder b, Reg<B32> tile) {
        return kBlocks;
    }

    @Override
    public Optional<Reg<B32>> commonKBlocks() {
        return Optional.of(kBlocks);
    }

    @Override
    public Maps maps(CodeBuilder b, Matrix matrix) {
        GenericAddress map = b.tensorMap(parameter(matrix));
        return (w, tile) -> map;
    }

    /** A parameter is the same for all proxies. */
    @Override
    public Acquiring acquiring(CodeBuilder b) {
        return (w, tile, maps, by) -> {};
    }

    private Param parameter(Matrix matrix) {
        return switch (matrix) {
            case A -> arguments.mapA();
            case B -> arguments.mapB();
            case D -> arguments.mapD();
            case NARROW_D -> arguments.narrowMapD().orElseThrow();
        };
    }

    @Override
    public Inside inside(CodeBuilder b) {
        Reg<B32> tilesM = b.param32(arguments.tilesM());
        Reg<B32> tilesN = b.param32(arguments.tilesN());
        return (w, tile) -> tile.place().isWithin(w, tilesM, tilesN);
    }
}
