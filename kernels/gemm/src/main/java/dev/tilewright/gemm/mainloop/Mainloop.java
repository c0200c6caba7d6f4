package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * The multiplying side of the K loop: adds up the products of the stages of a tile. Each class has a
 * {@link dev.tilewright.gemm.oracle.SumError}, which says how far its sums may be off, and proofs of its kernels go by
 * that.
 */
public interface Mainloop {

    /**
     * Begins a tile, or a piece of one.
     *
     * @param walk of the role
     * @param number that the scheduler handed out
     */
    Products begin(CodeBuilder b, TileWalk walk, Reg<B32> number);

    /** The products of one tile. */
    interface Products {

        /** Waits until the next stage is full. */
        void await(CodeBuilder b);

        /** Issues the products of the stage, and adds them to those of the blocks before. */
        void multiply(CodeBuilder b);

        /**
         * Hands back a stage that has been read, goes to the next block and stage, and says whether there is a block.
         */
        Reg<Pred> release(CodeBuilder b);

        /** Ends the tile: afterwards, or when its barrier says so, the sums may be read. */
        void finish(CodeBuilder b);
    }
}
