package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The named barrier of each warpgroup that multiplies, for its own 128 threads.
 *
 * @param warpgroups how many share the CTA
 * @param warpgroup index among them; absent of one that is alone
 */
record WarpgroupBarrier(int warpgroups, Optional<Reg<B32>> warpgroup) {

    private static final int THREADS = 128;
    /** Named barrier of the first warpgroup; the others have the next ones. */
    private static final int FIRST_BARRIER = 1;

    /** The barrier of a CTA in which one warpgroup stores. */
    static WarpgroupBarrier alone() {
        return new WarpgroupBarrier(1, Optional.empty());
    }

    /** All threads of the warpgroup meet. */
    void synchronize(CodeBuilder b) {
        own(b, 0, (w, id) -> {
            w.comment("wait for all threads of the warpgroup");
            w.barrierSync(id, THREADS);
        });
    }

    /** The barrier ids are constants: with an id in a register the assembler would reserve all 16. */
    private void own(CodeBuilder b, int index, BiConsumer<CodeBuilder, Integer> meet) {
        if (index == warpgroups - 1) {
            meet.accept(b, FIRST_BARRIER + index);
            return;
        }
        b.ifThenElse(
                b.eq(warpgroup.orElseThrow(), index),
                own -> meet.accept(own, FIRST_BARRIER + index),
                other -> own(other, index + 1, meet));
    }
}
