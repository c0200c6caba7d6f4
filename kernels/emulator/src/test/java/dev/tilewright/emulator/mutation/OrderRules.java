package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import java.util.Optional;
import java.util.function.Function;

/** Rules for memory order and scope. */
final class OrderRules {
    private OrderRules() {}

    /** Of an mbarrier operation, whose default is acquire or release at CTA scope. */
    static void apply(Changes changes, int index, Ordering ordering, Function<Ordering, Instruction> with) {
        if (ordering.equals(Ordering.DEFAULT)) {
            changes.replace(Rule.ORDER, index, ".relaxed.cta", () -> with.apply(Ordering.relaxed(Scope.CTA)));
        } else {
            written(changes, index, ordering, with);
        }
    }

    static void memory(Changes changes, int index, Memory instruction) {
        switch (instruction) {
            case Memory.Load i ->
                written(
                        changes,
                        index,
                        i.ordering(),
                        order -> new Memory.Load(order, i.cache(), i.hints(), i.type(), i.d(), i.address()));
            case Memory.Store i ->
                written(
                        changes,
                        index,
                        i.ordering(),
                        order -> new Memory.Store(order, i.cache(), i.hints(), i.type(), i.address(), i.values()));
            case Memory.Atomic i ->
                written(
                        changes,
                        index,
                        i.ordering(),
                        order -> new Memory.Atomic(
                                order,
                                i.operation(),
                                i.noFlush(),
                                i.type(),
                                i.d(),
                                i.address(),
                                i.b(),
                                i.c(),
                                i.policy()));
            case Memory.Reduce i ->
                written(
                        changes,
                        index,
                        i.ordering(),
                        order -> new Memory.Reduce(
                                order, i.operation(), i.noFlush(), i.type(), i.address(), i.b(), i.policy()));
            case Memory.StoreAsync _, Memory.ReduceAsync _, Memory.Prefetch _, Memory.PrefetchTensorMap _ -> {}
        }
    }

    private static void written(Changes changes, int index, Ordering ordering, Function<Ordering, Instruction> with) {
        if (ordering.sem() == Sem.ACQUIRE || ordering.sem() == Sem.RELEASE || ordering.sem() == Sem.ACQ_REL) {
            Ordering relaxed = Ordering.relaxed(ordering.scope());
            changes.replace(Rule.ORDER, index, relaxed.ptx(), () -> with.apply(relaxed));
        }
        narrower(ordering.scope()).ifPresent(scope -> {
            Ordering narrowed = new Ordering(ordering.sem(), scope);
            changes.replace(Rule.SCOPE, index, narrowed.ptx(), () -> with.apply(narrowed));
        });
    }

    static Optional<Scope> narrower(Scope scope) {
        return switch (scope) {
            case NONE, CTA -> Optional.empty();
            case CLUSTER -> Optional.of(Scope.CTA);
            case GPU -> Optional.of(Scope.CLUSTER);
            case SYS -> Optional.of(Scope.GPU);
        };
    }
}
