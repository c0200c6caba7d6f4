package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The tiles of several GEMMs, by the rows of a {@link TileTable} in global memory; the maps lie there too.
 *
 * @param matrices of each GEMM, in the order of their maps
 */
public record TableLookup(TableArguments arguments, ClusterPlace cluster, List<Matrix> matrices) implements TileLookup {

    /** Index of no GEMM. */
    private static final int NO_GEMM = -1;

    /** Bytes of a row before its number of k blocks. */
    private static final int K_BLOCKS = 12;

    /** Bytes of a row before the extents of the output. */
    private static final int EXTENTS = 16;

    @Override
    public TileWalk begin(CodeBuilder b, List<Matrix> moved) {
        List<Reg<B64>> maps = moved.stream().map(matrix -> firstMap(b, matrix)).toList();
        Reg<B32> seen = b.b32("seenGemm");
        if (!moved.isEmpty()) {
            b.mov(seen, NO_GEMM);
        }
        return new Walk(this, maps, seen);
    }

    private Reg<B64> firstMap(CodeBuilder b, Matrix matrix) {
        // Copies take a map's address without an offset.
        int before = matrices.indexOf(matrix) * FilledBuffer.Maps.MAP_BYTES;
        Reg<B64> maps = b.param64(arguments.maps());
        return before == 0 ? maps : b.add(maps, before);
    }

    @Override
    public Optional<Function<CodeBuilder, KBlocks>> commonKBlocks() {
        return Optional.empty();
    }

    private Reg<B64> row(CodeBuilder b, Reg<B32> tile) {
        return b.madWide(tile, TileTable.ROW_BYTES, b.globalPointer(arguments.tiles()));
    }

    /**
     * A role's walk.
     *
     * @param firstMaps of each matrix that it moves the map of the first GEMM
     * @param seen the GEMM whose maps it has seen last
     */
    private record Walk(TableLookup lookup, List<Reg<B64>> firstMaps, Reg<B32> seen) implements TileWalk {

        @Override
        public Found find(CodeBuilder b, Reg<B32> number) {
            b.comment("lookup: the row of the tile in the table");
            Reg<B64> address = lookup.row(b, number);
            Reg<B32> gemm = b.b32();
            Reg<B32> m = b.b32();
            Reg<B32> n = b.b32();
            Reg<B32> kBlocks = b.b32();
            b.ldVector(ScalarType.U32, List.of(gemm, m, n, kBlocks), GlobalAddress.of(address));
            ClusterPlace cluster = lookup.cluster;
            TilePlace place = new TilePlace(
                    inCluster(b, m, cluster.rows(), cluster.m(b)), inCluster(b, n, cluster.columns(), cluster.n(b)));
            return new Found(number, place, Optional.of(new Found.Row(address, gemm, kBlocks)));
        }

        private static Reg<B32> inCluster(CodeBuilder b, Reg<B32> first, int extent, Operand<B32> own) {
            return extent == 1 ? first : b.add(first, own);
        }

        @Override
        public KBlocks kBlocks(CodeBuilder b, Found tile) {
            return new KBlocks(Optional.empty(), tile.row().orElseThrow().kBlocks());
        }

        @Override
        public KBlocks kBlocks(CodeBuilder b, Reg<B32> number) {
            Reg<B64> row = lookup.row(b, number);
            return new KBlocks(Optional.empty(), b.ld32(GlobalAddress.of(row).plus(K_BLOCKS)));
        }

        /**
         * The host wrote them as bytes; the hardware reads them through the proxy of tensor maps. Tiles of one GEMM
         * mostly follow each other, and a fence costs more than to see that.
         */
        @Override
        public List<GenericAddress> maps(CodeBuilder b, Found tile, Optional<Reg<Pred>> copies) {
            Reg<B32> gemm = tile.row().orElseThrow().gemm();
            int mapsOfGemm = lookup.matrices.size() * FilledBuffer.Maps.MAP_BYTES;
            List<GenericAddress> maps = firstMaps.stream()
                    .map(first -> GenericAddress.of(b.madWide(gemm, mapsOfGemm, first)))
                    .toList();
            Reg<Pred> another = b.ne(gemm, seen);
            // No branch: the warp of the thread that copies goes on together.
            b.guarded(copies.map(own -> b.andPred(another, own)).orElse(another), g -> {
                maps.forEach(map -> g.with(new TensorMapUpdate.Acquire(Scope.SYS, map)));
                g.mov(seen, gemm);
            });
            return maps;
        }

        @Override
        public Reg<Pred> holdsOutput(CodeBuilder b, Found tile) {
            TilePlace end = new TilePlace(b.b32(), b.b32());
            GlobalAddress extents =
                    GlobalAddress.of(tile.row().orElseThrow().address()).plus(EXTENTS);
            b.ldVector(ScalarType.U32, List.of(end.m(), end.n()), extents);
            return tile.place().isBefore(b, end);
        }
    }
}
