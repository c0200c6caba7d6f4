package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Reg;
import java.util.List;

/** A wgmma: it reads and writes registers after it was issued, until a wait for its group. */
public sealed interface WarpgroupMultiply extends Instruction permits Wgmma.MmaAsync, MatrixMultiply.Warpgroup {
    /** Columns of the product, 8..256. */
    int n();

    /** Accumulators of a thread. */
    List<? extends Reg<?>> d();

    Wgmma.MatrixA a();
}
