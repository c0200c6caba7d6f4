package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** A mainloop of whole warpgroups, whose sums end in registers. */
public interface WarpgroupMainloop extends Mainloop {

    /**
     * The f32 sums of a thread once a tile is finished: those of the first 64 rows from left to right, then of the next
     * rows. They need not be the registers that the instructions write.
     */
    List<Reg<F32>> sums();

    /** Leaves out the stages of a tile that another warpgroup multiplies. */
    void skip(CodeBuilder b, KBlocks blocks);
}
