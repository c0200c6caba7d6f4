package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.scheduler.ShareCode;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Adds up tiles that clusters share. These differ in how many pieces they have, some have one alone, and the others are
 * whole. Every piece leaves all its sums, and the last one, by a count that goes back to 0 with it, adds them up in the
 * order of K.
 *
 * @param code which numbers are pieces, and of what
 */
record SharedPieces(ShareCode code, SumsWorkspace workspace) implements PartialSums {

    /**
     * Whole tiles, and those that a cluster has for itself, need no sums. Into how many pieces another one is cut
     * follows from the clusters whose shares hold its first and its last block.
     */
    @Override
    public void combine(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators, Finish finish) {
        Reg<Pred> finishes = b.notPred(code.isPiece(b, piece));
        b.ifNot(finishes, part -> {
            part.eq(finishes, code.others(part, piece), 0);
            part.ifNot(finishes, cut -> {
                SumsWorkspace.leave(cut, GlobalAddress.of(workspace.start(cut, piece)), 0, accumulators);
                WarpgroupBarrier barrier =
                        new WarpgroupBarrier(workspace.config().consumers(), workspace.warpgroup());
                barrier.synchronize(cut);
                cut.ifThen(cut.eq(workspace.thread(), 0), one -> count(one, piece, finishes));
                Reg<Pred> any = barrier.any(cut, finishes);
                cut.orPred(finishes, any, any);
                cut.ifThen(finishes, adds -> addPieces(adds, piece, accumulators));
            });
        });
        b.ifThen(finishes, w -> finish.store(w, Optional.empty()));
    }

    /** @param last receives whether all others were there */
    private void count(CodeBuilder b, Reg<B32> piece, Reg<Pred> last) {
        Reg<B32> others = code.others(b, piece);
        Reg<B32> before = b.atom32(
                Ordering.acqRel(Scope.GPU), AtomicOperation.INC, workspace.count(b, code.sharedTile(b, piece)), others);
        b.eq(last, before, others);
    }

    /** One loop for any number of pieces, so that the text has its loads once: with them twice the assembler spills. */
    private void addPieces(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators) {
        Reg<B32> first = code.firstPiece(b, piece);
        Reg<B32> others = code.others(b, piece);
        Reg<B32> second = b.add(first, 1);
        Reg<Pred> two = b.eq(others, 1);
        b.ifNot(two, more -> SumsWorkspace.load(more, GlobalAddress.of(workspace.start(more, first)), 0, accumulators));
        Reg<B64> sums = workspace.start(b, b.select(two, b.sub(b.add(first, second), piece), second));
        b.doWhile("shared sums", w -> {
            add(w, sums, accumulators);
            w.add(sums, sums, (long) workspace.pieceBytes());
            w.sub(others, others, 1);
            return w.ne(others, 0);
        });
    }

    /** A vector at a time: there are no registers for more. */
    private static void add(CodeBuilder b, Reg<B64> start, List<Reg<F32>> accumulators) {
        for (int first = 0; first < accumulators.size(); first += SumsWorkspace.VECTOR) {
            List<Reg<F32>> left = List.of(b.f32(), b.f32(), b.f32(), b.f32());
            SumsWorkspace.load(b, GlobalAddress.of(start), first, left);
            for (int i = 0; i < left.size(); i++) {
                Reg<F32> sum = accumulators.get(first + i);
                b.fadd(sum, sum, left.get(i));
            }
        }
    }
}
