package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.Optional;

/**
 * Persistent, decided beforehand: a cluster first has its share of the tiles that all share, a piece or two, and then
 * whole tiles, one of each wave. Pieces come first so that whoever adds up a tile does it while the loads of its next
 * one are under way. Every role computes this for itself.
 *
 * @param tiles parameter: number of all pieces and whole tiles
 */
public record StreamTileScheduler(Param tiles, ShareCode shares) implements TileScheduler {

    @Override
    public TileCursor initialize(CodeBuilder b, TileReader reader) {
        Reg<B32> tile = b.b32();
        shares.first(b, tile);
        reader.alternation()
                .ifPresent(other -> b.ifThen(b.ne(other.index(), 0), second -> {
                    other.pass(second, tile);
                    shares.next(second, tile);
                }));
        Reg<Pred> hasWork = b.pred();
        b.lt(hasWork, tile, b.param32(tiles));
        return new TileCursor(reader, tile, hasWork, Optional.empty());
    }

    @Override
    public void advance(CodeBuilder b, TileCursor cursor) {
        shares.next(b, cursor.tile());
        cursor.reader().alternation().ifPresent(other -> {
            b.ifThen(b.lt(cursor.tile(), b.param32(tiles)), w -> other.pass(w, cursor.tile()));
            shares.next(b, cursor.tile());
        });
        b.lt(cursor.hasWork(), cursor.tile(), b.param32(tiles));
    }
}
