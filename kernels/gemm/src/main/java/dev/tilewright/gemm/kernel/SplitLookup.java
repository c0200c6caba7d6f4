package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The tiles of one GEMM, each cut along K into the same number of pieces; a scheduler hands out pieces. Piece i of P of
 * a tile of B blocks has those from floor(i B / P) on: none is empty where B is at least P, and no two differ by more
 * than one.
 *
 * <pre>
 *   number            0     1     2     3     4    ..        P = 3
 *   tile              0     0     0     1     1    ..        number / P
 *   piece of the tile 0     1     2     0     1    ..        number mod P
 * </pre>
 */
public record SplitLookup(RasterLookup whole, Divisor pieces) implements TileLookup {

    @Override
    public TileWalk begin(CodeBuilder b, List<Matrix> matrices) {
        return new Walk(this, whole.begin(b, matrices));
    }

    /** Pieces differ in depth. */
    @Override
    public Optional<Function<CodeBuilder, KBlocks>> commonKBlocks() {
        return Optional.empty();
    }

    private Reg<B32> firstBlock(CodeBuilder b, Reg<B32> index) {
        return pieces.divide(b, b.mulLo(index, whole.kBlocks(b)));
    }

    /** A role's walk; pieces of a tile lie where it lies. */
    private record Walk(SplitLookup lookup, TileWalk whole) implements TileWalk {

        @Override
        public Found find(CodeBuilder b, Reg<B32> number) {
            Found tile = whole.find(b, lookup.pieces.divide(b, number));
            return new Found(number, tile.place(), tile.row());
        }

        @Override
        public KBlocks kBlocks(CodeBuilder b, Found tile) {
            Reg<B32> index = lookup.pieces.remainder(b, tile.number());
            Reg<B32> first = lookup.firstBlock(b, index);
            return new KBlocks(Optional.of(first), b.sub(lookup.firstBlock(b, b.add(index, 1)), first));
        }

        @Override
        public KBlocks kBlocks(CodeBuilder b, Reg<B32> number) {
            Reg<B32> index = lookup.pieces.remainder(b, number);
            Reg<B32> end = lookup.firstBlock(b, b.add(index, 1));
            return new KBlocks(Optional.empty(), b.sub(end, lookup.firstBlock(b, index)));
        }

        @Override
        public List<GenericAddress> maps(CodeBuilder b, Found tile, Optional<Reg<Pred>> copies) {
            return whole.maps(b, tile, copies);
        }

        @Override
        public Reg<Pred> holdsOutput(CodeBuilder b, Found tile) {
            return whole.holdsOutput(b, tile);
        }
    }
}
