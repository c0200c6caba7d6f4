package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * One tile for each cluster: the grid has as many clusters as there are cluster tiles, and the hardware hands them to
 * SMs as they come free. The kernel has no tile loop.
 */
public record SingleTileScheduler(ClusterNumber number, Param tiles) implements TileScheduler {

    @Override
    public TileCursor initialize(CodeBuilder b, TileReader reader) {
        if (reader.alternation().isPresent()) {
            throw new IllegalArgumentException("a CTA has one tile: its warpgroups cannot alternate");
        }
        Reg<B32> tile = number.own(b);
        return new TileCursor(reader, tile, b.lt(tile, b.param32(tiles)), Optional.empty());
    }

    @Override
    public void advance(CodeBuilder b, TileCursor cursor) {
        b.clear(cursor.hasWork());
    }

    @Override
    public TileCursor forEachTile(CodeBuilder b, TileReader reader, BiConsumer<CodeBuilder, Reg<B32>> body) {
        b.comment("scheduler: the only tile");
        TileCursor cursor = initialize(b, reader);
        b.ifThen(cursor.hasWork(), w -> body.accept(w, cursor.tile()));
        return cursor;
    }
}
