package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;

/** The loading side of the K loop: brings operands from global memory into the ring of stages, block by block. */
public interface Loader {

    /** Begins a tile, or a piece of one. */
    Loading begin(CodeBuilder b, Found tile);

    /**
     * Waits until every stage that was loaded has been read: nobody arrives at this CTA's barriers any more, and what
     * others send it has come, so that it may end while they go on.
     */
    void drain(CodeBuilder b);

    /** The loads of one tile. */
    interface Loading {

        /** Waits until the next stage is free, and returns its full barrier. */
        SharedAddress acquire(CodeBuilder b);

        /**
         * Loads a block into the stage that was acquired.
         *
         * @param full barrier of the stage, which the data complete
         */
        void load(CodeBuilder b, SharedAddress full);

        /** Leaves the stage to its data, goes to the next block and stage, and says whether there is a block. */
        Reg<Pred> commit(CodeBuilder b);
    }
}
