package dev.tilewright.gemm.mainloop;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.WarpgroupTile;
import java.util.Optional;

/**
 * A warpgroup that multiplies, and its part of the CTA's tile. Rows and columns are those of instructions.
 *
 * @param index among those that multiply
 * @param thread 0..127, in the warpgroup
 * @param row first row of its part
 * @param column first column of its part, if warpgroups share tiles by columns
 */
public record Warpgroup(Reg<B32> index, Reg<B32> thread, Reg<B32> row, Optional<Reg<B32>> column) {

    private static final int THREADS = 128;
    private static final int WARPS_SHIFT = 2;

    /** Reads which one it is; the first warpgroup of the CTA does not multiply. */
    public static Warpgroup of(CodeBuilder b, Sm90Config config) {
        Reg<B32> index = b.sub(b.shr(b.warpIndex(), WARPS_SHIFT), 1);
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), THREADS - 1L);
        WarpgroupTile own = config.multiply().warpgroupTile();
        if (config.multiply().sharesColumns()) {
            Optional<Reg<B32>> column = Optional.of(b.mulLo(index, own.columns()));
            return new Warpgroup(index, thread, b.mov(Immediate.b32(0)), column);
        }
        return new Warpgroup(
                index,
                thread,
                switch (config.multiply().mode()) {
                    case COOPERATIVE -> b.mulLo(index, own.rows());
                    case PINGPONG -> b.mov(Immediate.b32(0));
                },
                Optional.empty());
    }

    /** Row of a thread's first sum of an instruction. A warp has 16 rows, a thread one and the one 8 below. */
    public Reg<B32> rowOfThread(CodeBuilder b) {
        Reg<B32> inWarp = b.shr(b.and(thread, 31), 2);
        return b.add(b.shl(b.shr(thread, 5), 4), inWarp);
    }

    /** Column of a thread's first sum of an instruction; the next one is beside it, then come those 8 further. */
    public Reg<B32> columnOfThread(CodeBuilder b) {
        return b.shl(b.and(thread, 3), 1);
    }

    /** Row of a sum of an instruction, by its index among those of a thread, from that of the first. */
    public static int rowOfSum(int sum) {
        return sum % 4 / 2 * 8;
    }

    /** Its column likewise. */
    public static int columnOfSum(int sum) {
        return sum / 4 * 8 + sum % 2;
    }

    /** The first column of its part, given that of the tile. */
    public Reg<B32> columnOf(CodeBuilder b, Reg<B32> tile) {
        return column.map(own -> b.add(tile, own)).orElse(tile);
    }
}
