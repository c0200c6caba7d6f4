package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.SharedLayout;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rules for mbarriers, named barriers, the cluster barrier, fences and setmaxnreg. */
final class SynchronisationRules {
    private final List<Statement> body;
    private final SharedLayout shared;
    private final Definitions definitions;
    private final Changes changes;

    SynchronisationRules(List<Statement> body, SharedLayout shared, Definitions definitions, Changes changes) {
        this.body = body;
        this.shared = shared;
        this.definitions = definitions;
        this.changes = changes;
    }

    /** Whether the statement is the branch by which a wait tries again. */
    boolean isRetry(int index) {
        return index > 0
                && body.get(index) instanceof Statement.Guarded guarded
                && guarded.instruction() instanceof Control.Branch
                && definitions.instruction(index - 1).orElse(null) instanceof Mbarrier.Wait wait
                && wait.d().equals(guarded.predicate());
    }

    void barrier(int index, Barrier instruction) {
        switch (instruction) {
            case Barrier.CtaBarrier i -> named(index, i);
            case Barrier.ClusterBarrier _ -> changes.drop(Rule.CLUSTER_BARRIER, index);
            case Barrier.WarpBarrier _ -> changes.drop(Rule.WAIT, index);
            case Barrier.ProxyFence _, Barrier.RestrictedFence _ -> changes.drop(Rule.FENCE, index);
            case Barrier.ThreadFence i -> {
                changes.drop(Rule.FENCE, index);
                OrderRules.narrower(i.scope())
                        .ifPresent(scope -> changes.replace(
                                Rule.SCOPE, index, scope.ptx(), () -> new Barrier.ThreadFence(i.sem(), scope)));
            }
            case Barrier.SetMaxRegisters i -> {
                changes.drop(Rule.REGISTERS, index);
                changes.replace(
                        Rule.REGISTERS,
                        index,
                        "8 more",
                        () -> new Barrier.SetMaxRegisters(i.increase(), i.count() + 8));
            }
            case Barrier.Elect _,
                    Barrier.Shuffle _,
                    Barrier.Vote _,
                    Barrier.Ballot _,
                    Barrier.GridDependency _,
                    Barrier.Nanosleep _ -> {}
        }
    }

    private void named(int index, Barrier.CtaBarrier i) {
        switch (i.action()) {
            case SYNC -> changes.drop(Rule.WAIT, index);
            case ARRIVE -> {
                changes.drop(Rule.ARRIVE, index);
                changes.twice(Rule.ARRIVE, index);
            }
        }
        changes.replace(
                Rule.NAMED_BARRIER,
                index,
                "id + 1",
                () -> new Barrier.CtaBarrier(i.action(), i.aligned(), plus(i.id(), 1), i.threads()));
        i.threads()
                .ifPresent(threads -> Stream.of(32, -32)
                        .forEach(change -> changes.replace(
                                Rule.NAMED_BARRIER,
                                index,
                                "threads " + signed(change),
                                () -> new Barrier.CtaBarrier(
                                        i.action(), i.aligned(), i.id(), Optional.of(plus(threads, change))))));
    }

    void mbarrier(int index, Mbarrier instruction) {
        switch (instruction) {
            case Mbarrier.Init i ->
                Stream.of(1, -1)
                        .forEach(change -> changes.replace(
                                Rule.INIT_COUNT,
                                index,
                                "count " + signed(change),
                                () -> new Mbarrier.Init(i.barrier(), plus(i.count(), change))));
            case Mbarrier.Arrive i -> {
                arrive(index);
                addresses(index, i.barrier(), moved -> new Mbarrier.Arrive(i.ordering(), moved, i.count()));
                OrderRules.apply(
                        changes, index, i.ordering(), order -> new Mbarrier.Arrive(order, i.barrier(), i.count()));
            }
            case Mbarrier.ArriveExpectTx i -> {
                arrive(index);
                addresses(index, i.barrier(), moved -> new Mbarrier.ArriveExpectTx(i.ordering(), moved, i.bytes()));
                expect(index, i);
                OrderRules.apply(
                        changes,
                        index,
                        i.ordering(),
                        order -> new Mbarrier.ArriveExpectTx(order, i.barrier(), i.bytes()));
            }
            case Mbarrier.Wait i -> {
                if (index + 1 < body.size() && isRetry(index + 1)) {
                    changes.dropWith(Rule.WAIT, index, index + 1);
                    changes.drop(Rule.WAIT, index + 1);
                }
                OrderRules.apply(
                        changes,
                        index,
                        i.ordering(),
                        order -> new Mbarrier.Wait(i.mode(), order, i.d(), i.barrier(), i.phase(), i.hint()));
            }
            case Mbarrier.FenceInit _ -> changes.drop(Rule.FENCE, index);
            case Mbarrier.Invalidate _,
                    Mbarrier.ExpectTx _,
                    Mbarrier.CompleteTx _,
                    Mbarrier.PendingCount _,
                    Mbarrier.MapToRank _,
                    Mbarrier.RankOf _ -> {}
        }
    }

    /** An arrival by asynchronous work. */
    void commit(int index, Tcgen05.Commit i) {
        changes.drop(Rule.COMMIT, index);
        changes.twice(Rule.ARRIVE, index);
        addresses(index, i.barrier(), moved -> new Tcgen05.Commit(i.group(), (ClusterAddress) moved, i.multicast()));
    }

    private void arrive(int index) {
        changes.drop(Rule.ARRIVE, index);
        changes.twice(Rule.ARRIVE, index);
    }

    private void expect(int index, Mbarrier.ArriveExpectTx i) {
        for (int change : new int[] {16, -16}) {
            changes.replace(
                    Rule.EXPECT,
                    index,
                    "bytes " + signed(change),
                    () -> new Mbarrier.ArriveExpectTx(i.ordering(), i.barrier(), plus(i.bytes(), change)));
        }
        changes.replace(
                Rule.EXPECT,
                index,
                "half of the bytes",
                () -> new Mbarrier.ArriveExpectTx(i.ordering(), i.barrier(), Immediate.b32(constant(i.bytes()) / 2)));
        changes.replace(
                Rule.EXPECT,
                index,
                "arrive without bytes",
                () -> new Mbarrier.Arrive(i.ordering(), i.barrier(), Optional.empty()));
    }

    private interface Moved {
        Instruction to(Address address);
    }

    private void addresses(int index, Address barrier, Moved moved) {
        changes.replace(Rule.ARRIVE_PLACE, index, "the next slot", () -> moved.to(plus(barrier, 8)));
        partner(barrier)
                .ifPresent(distance -> changes.replace(
                        Rule.ARRIVE_PLACE, index, "full for empty", () -> moved.to(plus(barrier, distance))));
    }

    /** Bytes from a full barrier to the empty one of its slot, or back. */
    private Optional<Integer> partner(Address barrier) {
        Reg<?> base = switch (barrier) {
            case SharedAddress a -> a.base();
            case ClusterAddress a -> a.base();
            default -> throw new IllegalArgumentException("no barrier can be at " + barrier);
        };
        return Stream.concat(Stream.of((long) barrier.offset()), definitions.addends(base).stream())
                .flatMap(offset -> shared.at(offset).stream())
                .filter(region -> region.kind() == SharedRegion.Kind.BARRIERS)
                .findFirst()
                .flatMap(region -> partner(region).map(other -> other.offset() - region.offset()));
    }

    /** None for a barrier that is neither full nor empty. */
    private Optional<SharedRegion> partner(SharedRegion region) {
        String name = region.name();
        String other = name.endsWith("Full") ? name.replace("Full", "Empty") : name.replace("Empty", "Full");
        return shared.regions().stream()
                .filter(candidate -> candidate.name().equals(other) && !other.equals(name))
                .findFirst();
    }

    private static Address plus(Address address, int bytes) {
        return switch (address) {
            case SharedAddress a -> a.plus(bytes);
            case ClusterAddress a -> a.plus(bytes);
            default -> throw new IllegalArgumentException("no barrier can be at " + address);
        };
    }

    private static Operand<B32> plus(Operand<B32> operand, int change) {
        return Immediate.b32(constant(operand) + change);
    }

    private static long constant(Operand<B32> operand) {
        if (operand instanceof Immediate<?> constant) {
            return constant.bits();
        }
        throw new IllegalArgumentException("not a constant: " + operand);
    }

    private static String signed(int change) {
        return change > 0 ? "+ " + change : "- " + -change;
    }
}
