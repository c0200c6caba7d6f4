package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** A mainloop of whole warpgroups, whose sums end in registers. */
public interface WarpgroupMainloop extends Mainloop {

    /** The products of one tile, whose sums a warpgroup stores itself. */
    interface TileProducts extends Products {

        /** The tile, for its epilogue; asked for when all products are issued, so that they hide it. */
        Found tile(CodeBuilder b);
    }

    @Override
    TileProducts begin(CodeBuilder b, TileWalk walk, Reg<B32> number);

    /**
     * The f32 sums of a thread once a tile is finished: those of the first 64 rows from left to right, then of the next
     * rows. They need not be the registers that the instructions write.
     */
    List<Reg<F32>> sums();

    /** Leaves out the stages of a tile that another warpgroup multiplies. */
    void skip(CodeBuilder b, KBlocks blocks);
}
