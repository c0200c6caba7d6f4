package dev.tilewright.gemm.pipeline;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * Orders the mainloops of two warpgroups: while one issues its own the other may not. Each has a named barrier on which
 * it waits and the other arrives. Without it the later warpgroup would wait for a phase whose parity aliases with an
 * older one. Tiles may end with an arrival that nobody waits for, which does no harm.
 *
 * @param firstBarrier id of the first warpgroup's barrier; the second's is the next
 * @param isFirst whether this is the first warpgroup
 */
public record OrderBarrier(int firstBarrier, Reg<Pred> isFirst) {

    private static final int BOTH = 256;

    /** Once, before the first mainloop: the first warpgroup may begin. */
    public void start(CodeBuilder b) {
        b.guardedNot(isFirst, g -> g.barrierArrive(firstBarrier, BOTH));
    }

    /** Waits until the other has issued its mainloop. */
    public void begin(CodeBuilder b) {
        b.ifThenElse(isFirst, own -> await(own, firstBarrier), own -> await(own, firstBarrier + 1));
    }

    private static void await(CodeBuilder b, int barrier) {
        b.comment("wait until the other warpgroup has issued its mainloop");
        b.barrierSync(barrier, BOTH);
    }

    /** Lets the other one issue its mainloop. */
    public void end(CodeBuilder b) {
        b.ifThenElse(
                isFirst,
                own -> own.barrierArrive(firstBarrier + 1, BOTH),
                own -> own.barrierArrive(firstBarrier, BOTH));
    }
}
