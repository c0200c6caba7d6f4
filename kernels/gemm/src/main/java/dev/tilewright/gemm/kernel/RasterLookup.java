package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The tiles of one GEMM: the place is computed, all else is the same for all. Where the CTAs of a cluster share the
 * depth of a tile, each has the blocks of its part, in all tiles the same.
 */
public record RasterLookup(KernelArguments arguments, ClusterPlace cluster) implements TileLookup {

    @Override
    public TileWalk begin(CodeBuilder b, List<Matrix> matrices) {
        List<GenericAddress> maps = matrices.stream()
                .map(matrix -> b.tensorMap(arguments.map(matrix)))
                .toList();
        return new Walk(
                this,
                maps,
                matrices.contains(Matrix.D)
                        ? Optional.of(new TilePlace(b.param32(arguments.tilesM()), b.param32(arguments.tilesN())))
                        : Optional.empty());
    }

    @Override
    public Optional<Function<CodeBuilder, KBlocks>> commonKBlocks() {
        return Optional.of(this::blocksOfCta);
    }

    /** Blocks along K of a whole tile. */
    Reg<B32> kBlocks(CodeBuilder b) {
        return b.param32(arguments.kBlocks());
    }

    private KBlocks blocksOfCta(CodeBuilder b) {
        if (cluster.parts() == 1) {
            return new KBlocks(Optional.empty(), kBlocks(b));
        }
        Divisor parts = new Divisor(cluster.parts());
        Reg<B32> all = kBlocks(b);
        Reg<B32> before = b.mulLo(all, cluster.part(b));
        Reg<B32> first = parts.divide(b, before);
        return new KBlocks(Optional.of(first), b.sub(parts.divide(b, b.add(before, all)), first));
    }

    /**
     * A role's walk.
     *
     * @param maps parameters, which are the same for all tiles and all proxies
     * @param end row and column behind the last tile that holds output, for a role that moves D
     */
    private record Walk(RasterLookup lookup, List<GenericAddress> maps, Optional<TilePlace> end) implements TileWalk {

        @Override
        public Found find(CodeBuilder b, Reg<B32> number) {
            b.comment("lookup: row and column of the tile");
            TilePlace place = TilePlace.of(b, lookup.arguments.raster(), lookup.cluster, number);
            return new Found(number, place, Optional.empty());
        }

        @Override
        public KBlocks kBlocks(CodeBuilder b, Found tile) {
            return kBlocks(b, tile.number());
        }

        @Override
        public KBlocks kBlocks(CodeBuilder b, Reg<B32> number) {
            return lookup.blocksOfCta(b);
        }

        @Override
        public List<GenericAddress> maps(CodeBuilder b, Found tile, Optional<Reg<Pred>> copies) {
            return maps;
        }

        @Override
        public Reg<Pred> holdsOutput(CodeBuilder b, Found tile) {
            return tile.place().isBefore(b, end.orElseThrow());
        }
    }
}
