package dev.tilewright.gemm.pipeline;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * Two warpgroups take turns: while one issues its mainloop the other may not. Each has a named barrier on which it
 * waits and the other arrives. Without it the later warpgroup would wait for a phase whose parity aliases with an older
 * one. Tiles may end with an arrival that nobody waits for, which does no harm.
 *
 * @param firstBarrier id of the first warpgroup's barrier; the second's is the next
 * @param isFirst whether this is the first warpgroup
 */
public record TurnTaking(int firstBarrier, Reg<Pred> isFirst) {

    private static final int BOTH = 256;

    /** Once, before the first turn: the first warpgroup may begin. */
    public void start(CodeBuilder b) {
        b.guardedNot(isFirst, g -> g.barrierArrive(firstBarrier, BOTH));
    }

    /** Waits for the own turn. */
    public void begin(CodeBuilder b) {
        b.ifThenElse(
                isFirst, own -> own.barrierSync(firstBarrier, BOTH), own -> own.barrierSync(firstBarrier + 1, BOTH));
    }

    /** Gives the turn to the other. */
    public void end(CodeBuilder b) {
        b.ifThenElse(
                isFirst,
                own -> own.barrierArrive(firstBarrier + 1, BOTH),
                own -> own.barrierArrive(firstBarrier, BOTH));
    }
}
