package dev.tilewright.examples.step;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;

/**
 * The parameters of every step, in this order.
 *
 * @param a tensor map of A
 * @param b tensor map of B
 * @param d tensor map of D
 * @param tilesM cluster tiles along M
 * @param tilesN cluster tiles along N
 * @param kBlocks blocks of 64 along K, at least 1
 */
public record Arguments(Param a, Param b, Param d, Param tilesM, Param tilesN, Param kBlocks) {

    /** Declares them. */
    public static Arguments declare(EntryBuilder entry) {
        return new Arguments(
                entry.tensorMap("a"),
                entry.tensorMap("b"),
                entry.tensorMap("d"),
                entry.u32("tilesM"),
                entry.u32("tilesN"),
                entry.u32("kBlocks"));
    }

    /** The number of cluster tiles. */
    public Reg<B32> tiles(CodeBuilder b) {
        return b.mulLo(b.param32(tilesM), b.param32(tilesN));
    }

    /** The number of blocks along K. */
    public Reg<B32> kBlocks(CodeBuilder b) {
        return b.param32(kBlocks);
    }
}
