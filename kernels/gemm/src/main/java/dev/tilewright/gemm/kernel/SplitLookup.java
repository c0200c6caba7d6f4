package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
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
    public Found find(CodeBuilder b, Reg<B32> number) {
        return whole.find(b, pieces.divide(b, number));
    }

    @Override
    public Depth depth(CodeBuilder b, Reg<B32> number, Found found) {
        Reg<B32> index = pieces.remainder(b, number);
        Reg<B32> first = firstBlock(b, index);
        return new Depth(Optional.of(first), b.sub(firstBlock(b, b.add(index, 1)), first));
    }

    private Reg<B32> firstBlock(CodeBuilder b, Reg<B32> index) {
        return pieces.divide(b, b.mulLo(index, whole.kBlocks(b)));
    }

    @Override
    public Reg<B32> kBlocks(CodeBuilder b, Reg<B32> number) {
        Reg<B32> index = pieces.remainder(b, number);
        return b.sub(firstBlock(b, b.add(index, 1)), firstBlock(b, index));
    }

    /** Pieces differ in depth. */
    @Override
    public Optional<Function<CodeBuilder, Reg<B32>>> commonKBlocks() {
        return Optional.empty();
    }

    @Override
    public Maps maps(CodeBuilder b, Matrix matrix) {
        return whole.maps(b, matrix);
    }

    @Override
    public Acquiring acquiring(CodeBuilder b) {
        return whole.acquiring(b);
    }

    @Override
    public Inside inside(CodeBuilder b) {
        return whole.inside(b);
    }
}
