package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.Optional;

/**
 * The blocks of {@code tileK} along K of a tile, or of a piece of one.
 *
 * @param first blocks before it; absent if there are none
 * @param count at least 1
 */
public record KBlocks(Optional<Reg<B32>> first, Reg<B32> count) {

    /** Begins to count them. */
    public Counter counter(CodeBuilder b) {
        return new Counter(b.b32("block", 0), count);
    }

    /**
     * Counts the blocks of a loop.
     *
     * @param block the number of the current one in the tile, from 0
     */
    public record Counter(Reg<B32> block, Reg<B32> count) {

        /** Goes to the next block, and says whether there is one. */
        public Reg<Pred> next(CodeBuilder b) {
            b.add(block, block, 1);
            return b.lt(block, count);
        }
    }
}
