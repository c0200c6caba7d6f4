package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.function.BiConsumer;

/** The loop of a kernel whose threads stride over a range too long for the grid. */
final class GridStride {
    private GridStride() {}

    /** The index of the thread in the grid. */
    static Reg<B64> threadIndex(CodeBuilder b) {
        Reg<B64> thread = b.widen(b.special(SpecialRegister.TID_X));
        return b.madWide(b.special(SpecialRegister.CTAID_X), b.special(SpecialRegister.NTID_X), thread);
    }

    /** Runs {@code body} for every index below {@code count}, each by one thread. */
    static void forEach(CodeBuilder b, String name, Operand<B64> count, BiConsumer<CodeBuilder, Reg<B64>> body) {
        Reg<B64> index = threadIndex(b);
        Reg<B32> width = b.special(SpecialRegister.NTID_X);
        Reg<B64> step = b.mulWide(width, b.special(SpecialRegister.NCTAID_X));
        b.whileLoop(name, l -> l.lt(index, count), (l, loop) -> {
            body.accept(l, index);
            l.add(index, index, step);
        });
    }
}
