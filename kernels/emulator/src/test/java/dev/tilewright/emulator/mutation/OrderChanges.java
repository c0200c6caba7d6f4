package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;

/** Changes that weaken an order: a release or acquire made relaxed, a scope made narrower. */
final class OrderChanges {
    private static final String KIND = "order";

    private final Changes changes;

    OrderChanges(Changes changes) {
        this.changes = changes;
    }

    private interface With {
        dev.tilewright.ptx.instruction.Instruction ordering(Ordering ordering);
    }

    /** Both changes of an instruction that releases or acquires; the default has CTA scope. */
    private void weaken(int index, Ordering ordering, With with) {
        Scope scope = ordering.scope() == Scope.NONE ? Scope.CTA : ordering.scope();
        if (ordering.sem() != Sem.RELAXED) {
            changes.replace(index, KIND, "relaxed", with.ordering(Ordering.relaxed(scope)));
        }
        if (scope != Scope.CTA) {
            changes.replace(index, KIND, "scope .cta", with.ordering(new Ordering(ordering.sem(), Scope.CTA)));
        }
    }

    void mbarrier(int index, Mbarrier instruction) {
        switch (instruction) {
            case Mbarrier.Arrive i ->
                weaken(index, i.ordering(), o -> new Mbarrier.Arrive(o, i.barrier(), i.count()));
            case Mbarrier.ArriveExpectTx i ->
                weaken(index, i.ordering(), o -> new Mbarrier.ArriveExpectTx(o, i.barrier(), i.bytes()));
            case Mbarrier.Wait i ->
                weaken(
                        index,
                        i.ordering(),
                        o -> new Mbarrier.Wait(i.mode(), o, i.d(), i.barrier(), i.parity(), i.hint()));
            case Mbarrier.Init _,
                    Mbarrier.Invalidate _,
                    Mbarrier.ExpectTx _,
                    Mbarrier.CompleteTx _,
                    Mbarrier.MapToRank _,
                    Mbarrier.FenceInit _ -> {}
        }
    }

    void clusterBarrier(int index, Barrier.ClusterBarrier i) {
        if (i.action() == Barrier.ClusterAction.ARRIVE && i.sem() != Sem.RELAXED) {
            changes.replace(index, KIND, "relaxed", new Barrier.ClusterBarrier(i.action(), Sem.RELAXED, i.aligned()));
        }
    }

    void atomic(int index, Memory instruction) {
        switch (instruction) {
            case Memory.Atomic i ->
                weaken(
                        index,
                        i.ordering(),
                        o -> new Memory.Atomic(o, i.operation(), i.type(), i.d(), i.address(), i.b(), i.c()));
            case Memory.Reduce i ->
                weaken(
                        index,
                        i.ordering(),
                        o -> new Memory.Reduce(o, i.operation(), i.type(), i.address(), i.b()));
            case Memory.Load _, Memory.Store _, Memory.StoreAsync _, Memory.PrefetchTensorMap _ -> {}
        }
    }
}
