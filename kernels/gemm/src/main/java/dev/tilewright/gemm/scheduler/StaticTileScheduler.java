package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.Optional;

/**
 * Persistent, decided beforehand: cluster c of C takes the tiles c, c + C, c + 2C and so on. Every role computes this
 * for itself; nobody has to be asked.
 *
 * @param number c and C
 * @param tiles parameter: number of cluster tiles
 */
public record StaticTileScheduler(ClusterNumber number, Param tiles) implements TileScheduler {

    @Override
    public TileCursor initialize(CodeBuilder b, TileReader reader) {
        Reg<B32> tile = b.b32("tile");
        reader.alternation()
                .ifPresentOrElse(
                        other -> b.mad(tile, other.index(), number.count(b), number.own(b)),
                        () -> b.mov(tile, number.own(b)));
        reader.alternation()
                .filter(other -> other.passed().isPresent())
                .ifPresent(other -> b.ifThen(b.ne(other.index(), 0), second -> other.pass(second, number.own(second))));
        Reg<Pred> hasWork = b.pred("hasTile");
        b.lt(hasWork, tile, b.param32(tiles));
        return new TileCursor(reader, tile, hasWork, Optional.empty());
    }

    @Override
    public void advance(CodeBuilder b, TileCursor cursor) {
        b.add(cursor.tile(), cursor.tile(), number.count(b));
        cursor.reader().alternation().ifPresent(other -> {
            other.passed()
                    .ifPresent(code ->
                            b.ifThen(b.lt(cursor.tile(), b.param32(tiles)), w -> code.accept(w, cursor.tile())));
            b.add(cursor.tile(), cursor.tile(), number.count(b));
        });
        b.lt(cursor.hasWork(), cursor.tile(), b.param32(tiles));
    }
}
