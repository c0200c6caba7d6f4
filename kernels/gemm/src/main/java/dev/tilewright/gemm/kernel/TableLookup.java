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
    public Found find(CodeBuilder b, Reg<B32> tile) {
        Reg<B64> address = row(b, tile);
        Reg<B32> gemm = b.b32();
        Reg<B32> m = b.b32();
        Reg<B32> n = b.b32();
        Reg<B32> kBlocks = b.b32();
        b.ldVector(ScalarType.U32, List.of(gemm, m, n, kBlocks), GlobalAddress.of(address));
        TilePlace place = new TilePlace(
                inCluster(b, m, cluster.rows(), cluster.m(b)), inCluster(b, n, cluster.columns(), cluster.n(b)));
        return new Found(place, Optional.of(new Found.Row(address, gemm, kBlocks)));
    }

    @Override
    public Depth depth(CodeBuilder b, Reg<B32> tile, Found found) {
        return new Depth(Optional.empty(), found.row().orElseThrow().kBlocks());
    }

    private static Reg<B32> inCluster(CodeBuilder b, Reg<B32> first, int extent, Operand<B32> own) {
        return extent == 1 ? first : b.add(first, own);
    }

    private Reg<B64> row(CodeBuilder b, Reg<B32> tile) {
        return b.madWide(tile, TileTable.ROW_BYTES, b.globalPointer(arguments.tiles()));
    }

    @Override
    public Reg<B32> kBlocks(CodeBuilder b, Reg<B32> tile) {
        return b.ld32(GlobalAddress.of(row(b, tile)).plus(K_BLOCKS));
    }

    @Override
    public Optional<Function<CodeBuilder, Reg<B32>>> commonKBlocks() {
        return Optional.empty();
    }

    @Override
    public Maps maps(CodeBuilder b, Matrix matrix) {
        // Copies take a map's address without an offset.
        int before = matrices.indexOf(matrix) * FilledBuffer.Maps.MAP_BYTES;
        Reg<B64> maps = b.param64(arguments.maps());
        Reg<B64> first = before == 0 ? maps : b.add(maps, before);
        return (w, tile) -> {
            Reg<B32> gemm = tile.row().orElseThrow().gemm();
            return GenericAddress.of(w.madWide(gemm, matrices.size() * FilledBuffer.Maps.MAP_BYTES, first));
        };
    }

    /**
     * The host wrote them as bytes; the hardware reads them through the proxy of tensor maps. Tiles of one GEMM mostly
     * follow each other, and a fence costs more than to see that.
     */
    @Override
    public Acquiring acquiring(CodeBuilder b) {
        Reg<B32> seen = b.b32();
        b.mov(seen, NO_GEMM);
        return (w, tile, acquired, by) -> {
            Reg<B32> gemm = tile.row().orElseThrow().gemm();
            Reg<Pred> another = w.ne(gemm, seen);
            // No branch: the warp of the thread that copies goes on together.
            w.guarded(by.map(copies -> w.andPred(another, copies)).orElse(another), g -> {
                acquired.forEach(map -> g.with(new TensorMapUpdate.Acquire(Scope.SYS, map)));
                g.mov(seen, gemm);
            });
        };
    }

    @Override
    public Inside inside(CodeBuilder b) {
        return (w, tile) -> {
            Reg<B32> tilesM = w.b32();
            Reg<B32> tilesN = w.b32();
            GlobalAddress extents =
                    GlobalAddress.of(tile.row().orElseThrow().address()).plus(EXTENTS);
            w.ldVector(ScalarType.U32, List.of(tilesM, tilesN), extents);
            return tile.place().isWithin(w, tilesM, tilesN);
        };
    }
}
