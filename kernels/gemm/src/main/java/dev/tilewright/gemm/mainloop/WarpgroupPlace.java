package dev.tilewright.gemm.mainloop;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;

/**
 * Where in its CTA's tile a warpgroup multiplies. Rows and columns are those of instructions.
 *
 * @param row first row
 * @param column first column, if warpgroups share tiles by columns
 */
public record WarpgroupPlace(Reg<B32> row, Optional<Reg<B32>> column) {

    /** The first column of the warpgroup, of that of the tile. */
    public Reg<B32> columnOf(CodeBuilder b, Reg<B32> tile) {
        return column.map(own -> b.add(tile, own)).orElse(tile);
    }
}
