package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** Brings the sums of the pieces of a tile together, and has them stored. All threads of a warpgroup. */
@FunctionalInterface
public interface Reduction {

    /**
     * Takes over the sums of a piece. What of the tile is complete here is stored.
     *
     * @param piece whose sums they are; a tile that is not split is one piece
     */
    void store(CodeBuilder b, Found piece, List<Reg<F32>> sums);

    /** Behind the last tile: waits until the CTA may end. */
    default void drain(CodeBuilder b) {}
}
