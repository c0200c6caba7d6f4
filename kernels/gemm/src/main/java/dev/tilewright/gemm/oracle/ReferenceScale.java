package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;

/**
 * The scale of the elements that a thread of the reference fetches of an operand at a time: they lie in one block of K.
 *
 * @param base of the scales of blocks
 * @param row of the operand
 * @param pitch floats from one line of scales to the next
 * @param value that was read last; 0 outside of the operand
 */
record ReferenceScale(
        OperandRole role, Reg<B64> base, Reg<B32> row, Reg<Pred> inRange, Reg<B32> pitch, Reg<F32> value) {

    private static final int SHIFT_OF_BLOCK = Integer.numberOfTrailingZeros(Scales.BLOCK_K);

    /** Reads the scale of the elements from {@code k0} on. */
    void fetch(CodeBuilder c, Reg<B32> k0, Reg<B32> depth) {
        Reg<B32> block = c.shr(k0, SHIFT_OF_BLOCK);
        Reg<B32> index = switch (role) {
            case A -> c.mad(block, pitch, row);
            case B -> c.mad(c.shr(row, SHIFT_OF_BLOCK), pitch, block);
        };
        c.mov(value, Immediate.f32(0));
        GlobalAddress at = GlobalAddress.of(c.madWide(index, Float.BYTES, base));
        c.guarded(c.andPred(inRange, c.lt(k0, depth)), g -> g.ld(ScalarType.F32, value, at));
    }
}
