package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.SplitPlan;

/**
 * Counts the pieces of a split tile whose sums are there, and decides whose panels each of them adds up: its own, if it
 * is there when all are. Nobody depends on a piece that has not begun. One that has looked for a while gives up and
 * says so; the last one, for whom nobody has to be waited for, adds up the panels of those.
 *
 * <pre>
 *   bits 0..7    pieces that have arrived, P at the most
 *   bit 8 + i    piece i has given up
 *
 *   arrive       old = word, word += 1
 *   the last     old counts P - 1: it takes back what it found and its own arrival; its duties are i and who gave up
 *   another      looks at the word some times, until it counts P, or 0 again: its duty is i
 *   gives up     old = word, word += 1 &lt;&lt; 8 + i; where old counts P or 0 after all it takes that back: its duty is i
 * </pre>
 *
 * <p>So each panel is somebody's duty, and the word is 0 again at the end of a launch: what is added before the last
 * arrival is taken back by the last one, what is added after it by who added it. After a launch that was broken off the
 * word must be zeroed.
 *
 * <p>A piece may keep the sums of its own panels until it gives up.
 *
 * @param pieces P, 2 to {@value Sm90Config#MOST_PIECES}
 * @param owners pieces that have panels of their own, the first ones; the others leave when they have arrived
 * @param word global memory, u32
 * @param index of the piece in its tile
 */
record PieceCount(int pieces, int owners, GlobalAddress word, Reg<B32> index) {

    /** In place of duties: to leave the sums of the own panels, and to {@link #giveUp}. */
    static final long GIVES_UP = 1L << SplitPlan.MOST_PIECES;

    private static final int ARRIVED = 0xff;
    private static final int FIRST_MARK = 8;
    /** Looks at the word, some 0.5 us each: a few times as long as pieces differ that began together. */
    private static final int LOOKS = 16;

    /**
     * Counts a piece, and finds its duties; one thread, behind the stores of all sums but those of its own panels.
     *
     * @param duties receives a bit for each piece whose panels are to be added up here, or {@link #GIVES_UP}
     */
    void arrive(CodeBuilder b, Reg<B32> duties) {
        Reg<B32> found = add(b, Ordering.acqRel(Scope.GPU), Immediate.b32(1));
        b.ifThenElse(
                b.eq(b.and(found, ARRIVED), pieces - 1L),
                last -> {
                    last.add(duties, last.shr(found, FIRST_MARK), own(last));
                    takeBack(last, Ordering.release(Scope.GPU), last.add(found, 1));
                },
                other -> {
                    if (owners < pieces) {
                        other.ifThen(other.lt(index, Immediate.b32(owners)), owner -> look(owner, duties));
                    } else {
                        look(other, duties);
                    }
                });
    }

    private void look(CodeBuilder b, Reg<B32> duties) {
        b.comment("wait a while for the other pieces");
        Reg<Pred> complete = b.pred("complete");
        Reg<B32> looks = b.b32("looks", LOOKS);
        b.doWhile("look for pieces", w -> {
            isComplete(w, complete, w.ld32(Ordering.acquire(Scope.GPU), word));
            w.sub(looks, looks, 1);
            Reg<Pred> again = w.ne(looks, 0);
            return w.andPred(again, w.notPred(complete));
        });
        b.mov(duties, b.select(complete, own(b), Immediate.b32(GIVES_UP)));
    }

    /**
     * Says that a piece does not look any more; one thread, behind the stores of the sums of its own panels.
     *
     * @param duties receives those that are left: none, but of a piece that is too late to give up its own
     */
    void giveUp(CodeBuilder b, Reg<B32> duties) {
        Reg<B32> own = own(b);
        Reg<B32> mark = b.shl(own, FIRST_MARK);
        Reg<Pred> late = b.pred();
        isComplete(b, late, add(b, Ordering.acqRel(Scope.GPU), mark));
        b.ifThen(late, w -> takeBack(w, Ordering.relaxed(Scope.GPU), mark));
        b.mov(duties, b.select(late, own, Immediate.b32(0)));
    }

    private Reg<B32> own(CodeBuilder b) {
        return b.shl(Immediate.b32(1), index);
    }

    /** The last one takes back its own arrival too: the count is P for a while, then 0. */
    private void isComplete(CodeBuilder b, Reg<Pred> complete, Reg<B32> found) {
        Reg<B32> arrived = b.and(found, ARRIVED);
        b.eq(complete, arrived, 0);
        b.orPred(complete, complete, b.eq(arrived, pieces));
    }

    private Reg<B32> add(CodeBuilder b, Ordering ordering, Operand<B32> value) {
        return b.atom32(ordering, AtomicOperation.ADD, word, value);
    }

    private void takeBack(CodeBuilder b, Ordering ordering, Reg<B32> value) {
        b.red(ordering, AtomicOperation.ADD, ScalarType.U32, word, b.sub(Immediate.b32(0), value));
    }
}
