package dev.tilewright.examples.step;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.function.BiConsumer;

/**
 * Coordinates of an output tile, counted in tiles. Tiles that run at the same time lie in a band of 8 rows of tiles, so
 * that they read few rows of A and few rows of B, and find them in L2:
 *
 * <pre>
 *        n = 0   1   2  ...
 *   m = 0    0   8  16
 *   ...    ...  ..  ..      band 0
 *   m = 7    7  15  23
 *   m = 8    the next band
 * </pre>
 *
 * The last band has fewer rows if M has no multiple of 8 tiles.
 *
 * @param m row of tiles
 * @param n column of tiles
 */
public record Tile(Reg<B32> m, Reg<B32> n) {

    private static final int BAND = 8;

    /** Finds tile {@code number}, which is less than {@link Arguments#tiles}. */
    public static Tile of(CodeBuilder b, Arguments arguments, Operand<B32> number) {
        Reg<B32> tilesOfBand = b.mulLo(b.param32(arguments.tilesN()), BAND);
        Reg<B32> band = b.div(number, tilesOfBand);
        Reg<B32> first = b.mulLo(band, BAND);
        Reg<B32> rows = b.min(b.sub(b.param32(arguments.tilesM()), first), BAND);
        Reg<B32> inBand = b.rem(number, tilesOfBand);
        return new Tile(b.add(first, b.rem(inBand, rows)), b.div(inBand, rows));
    }

    /**
     * Static schedule: cluster c of C computes the tiles c, c + C, c + 2 C and so on. Each role counts for itself and
     * asks no other one.
     *
     * @param ctas CTAs of a cluster
     */
    public static void forEach(CodeBuilder b, Arguments arguments, int ctas, BiConsumer<CodeBuilder, Tile> body) {
        forEach(b, arguments, cluster(b, ctas), clusters(b, ctas), body);
    }

    /** The tiles {@code first}, {@code first + every}, {@code first + 2 every} and so on. */
    public static void forEach(
            CodeBuilder b, Arguments arguments, Reg<B32> first, Reg<B32> every, BiConsumer<CodeBuilder, Tile> body) {
        Reg<B32> number = b.mov(first);
        Reg<B32> tiles = arguments.tiles(b);
        b.whileLoop("tile", top -> top.lt(number, tiles), (w, _) -> {
            body.accept(w, of(w, arguments, number));
            w.add(number, number, every);
        });
    }

    /** The number of this cluster. */
    public static Reg<B32> cluster(CodeBuilder b, int ctas) {
        return b.div(b.special(SpecialRegister.CTAID_X), ctas);
    }

    /** The number of clusters in the grid. */
    public static Reg<B32> clusters(CodeBuilder b, int ctas) {
        return b.div(b.special(SpecialRegister.NCTAID_X), ctas);
    }
}
