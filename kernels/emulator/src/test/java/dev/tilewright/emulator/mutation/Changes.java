package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Which changes there are for a statement. */
final class Changes {
    /** Takes a mutant's place, kind and change. */
    @FunctionalInterface
    interface Sink {
        void add(int index, String kind, String change, Supplier<Statement> replacement);
    }

    private static final Statement DROPPED = new Statement.Comment("dropped");

    private final List<Statement> body;
    private final Sink sink;
    /** Registers that a wait takes as its parity. */
    private final Set<Reg<?>> parities = new HashSet<>();

    private final ScalarChanges scalars = new ScalarChanges(this, parities);
    private final OrderChanges orders = new OrderChanges(this);

    Changes(Entry entry, Sink sink) {
        body = entry.body();
        this.sink = sink;
        for (Statement statement : body) {
            if (instruction(statement) instanceof Mbarrier.Wait wait && wait.parity() instanceof Reg<?> register) {
                parities.add(register);
            }
        }
    }

    private static Instruction instruction(Statement statement) {
        return switch (statement) {
            case Instruction i -> i;
            case Statement.Guarded g -> g.instruction();
            case Statement.LabelTarget _, Statement.Comment _ -> new Control.Trap();
        };
    }

    void at(int index) {
        Statement statement = body.get(index);
        if (statement instanceof Statement.LabelTarget || statement instanceof Statement.Comment) {
            return;
        }
        if (statement instanceof Statement.Guarded g) {
            boolean spin = index > 0 && instruction(body.get(index - 1)) instanceof Mbarrier.Wait;
            if (spin) {
                drop(index, "wait");
            } else {
                sink.add(
                        index,
                        "predicate",
                        "negate the guard",
                        () -> new Statement.Guarded(g.predicate(), !g.negated(), g.instruction()));
            }
        }
        switch (instruction(statement)) {
            case Barrier i -> barrier(index, i);
            case Mbarrier i -> {
                mbarrier(index, i);
                orders.mbarrier(index, i);
            }
            case BulkCopy i -> bulkCopy(index, i);
            case Wgmma i -> wgmma(index, i);
            case Arithmetic i -> scalars.arithmetic(index, i);
            case Compare i -> scalars.compare(index, i);
            case Move.Copy i
            when parities.contains(i.d()) && i.a() instanceof Immediate<?> constant ->
                replace(
                        index,
                        "parity",
                        "begin with the other",
                        new Move.Copy(i.type(), i.d(), Immediate.b32(constant.bits() ^ 1)));
            case Matrix.Store i -> offset(index, i.address(), 16, a -> new Matrix.Store(i.transposed(), a, i.values()));
            case Memory.Load i
            when i.address() instanceof SharedAddress a ->
                offset(index, a, 16, moved -> new Memory.Load(i.ordering(), i.cache(), i.type(), i.d(), moved));
            case Memory.Atomic i -> orders.atomic(index, i);
            case Memory.Reduce i -> orders.atomic(index, i);
            default -> {}
        }
    }

    void drop(int index, String kind) {
        sink.add(index, kind, "drop", () -> DROPPED);
    }

    void replace(int index, String kind, String change, Instruction with) {
        sink.add(index, kind, change, () -> MutantGenerator.with(body.get(index), with));
    }

    private void lazily(int index, String kind, String change, Supplier<Instruction> with) {
        sink.add(index, kind, change, () -> MutantGenerator.with(body.get(index), with.get()));
    }

    private interface Moved {
        Instruction to(SharedAddress address);
    }

    private void offset(int index, SharedAddress address, int bytes, Moved moved) {
        lazily(index, "offset", "address + " + bytes, () -> moved.to(address.plus(bytes)));
    }

    private void barrier(int index, Barrier instruction) {
        switch (instruction) {
            case Barrier.CtaBarrier i -> {
                drop(index, i.action() == Barrier.CtaAction.SYNC ? "wait" : "arrive");
                i.threads()
                        .ifPresent(threads -> lazily(
                                index,
                                "wait",
                                "32 threads more",
                                () -> new Barrier.CtaBarrier(
                                        i.action(), i.aligned(), i.id(), Optional.of(plus(threads, 32)))));
            }
            case Barrier.ClusterBarrier i -> {
                drop(index, i.action() == Barrier.ClusterAction.WAIT ? "wait" : "arrive");
                orders.clusterBarrier(index, i);
            }
            case Barrier.WarpBarrier _ -> drop(index, "wait");
            case Barrier.ProxyFence _, Barrier.ThreadFence _ -> drop(index, "fence");
            case Barrier.Elect _,
                    Barrier.Shuffle _,
                    Barrier.Vote _,
                    Barrier.Ballot _,
                    Barrier.SetMaxRegisters _,
                    Barrier.GridDependency _,
                    Barrier.Nanosleep _ -> {}
        }
    }

    private void mbarrier(int index, Mbarrier instruction) {
        switch (instruction) {
            case Mbarrier.Init i -> {
                drop(index, "arrive");
                for (int change : new int[] {1, -1}) {
                    lazily(
                            index,
                            "arrive",
                            "count " + change,
                            () -> new Mbarrier.Init(i.barrier(), plus(i.count(), change)));
                }
                offset(index, i.barrier(), 8, a -> new Mbarrier.Init(a, i.count()));
            }
            case Mbarrier.Invalidate _ -> drop(index, "arrive");
            case Mbarrier.Arrive i -> {
                drop(index, "arrive");
                lazily(
                        index,
                        "arrive",
                        "twice",
                        () -> new Mbarrier.Arrive(i.ordering(), i.barrier(), Optional.of(Immediate.b32(2))));
                if (i.barrier() instanceof SharedAddress a) {
                    offset(index, a, 8, moved -> new Mbarrier.Arrive(i.ordering(), moved, i.count()));
                }
            }
            case Mbarrier.ArriveExpectTx i -> {
                drop(index, "arrive");
                for (int change : new int[] {16, -16}) {
                    lazily(
                            index,
                            "expect",
                            "bytes " + change,
                            () -> new Mbarrier.ArriveExpectTx(i.ordering(), i.barrier(), plus(i.bytes(), change)));
                }
                replace(
                        index,
                        "expect",
                        "arrive without bytes",
                        new Mbarrier.Arrive(i.ordering(), i.barrier(), Optional.empty()));
                if (i.barrier() instanceof SharedAddress a) {
                    offset(index, a, 8, moved -> new Mbarrier.ArriveExpectTx(i.ordering(), moved, i.bytes()));
                }
            }
            case Mbarrier.ExpectTx _, Mbarrier.CompleteTx _ -> drop(index, "expect");
            case Mbarrier.Wait i -> {
                for (int parity = 0; parity < 2; parity++) {
                    replace(
                            index,
                            "parity",
                            "always " + parity,
                            new Mbarrier.Wait(
                                    i.mode(), i.ordering(), i.d(), i.barrier(), Immediate.b32(parity), i.hint()));
                }
                offset(
                        index,
                        i.barrier(),
                        8,
                        a -> new Mbarrier.Wait(i.mode(), i.ordering(), i.d(), a, i.parity(), i.hint()));
            }
            case Mbarrier.MapToRank i -> {
                Operand<B32> other =
                        i.rank() instanceof Immediate<?> r ? Immediate.b32(r.bits() ^ 1) : Immediate.b32(0);
                replace(index, "stage", "another rank", new Mbarrier.MapToRank(i.d(), i.address(), other));
            }
            case Mbarrier.FenceInit _ -> drop(index, "fence");
        }
    }

    private void bulkCopy(int index, BulkCopy instruction) {
        switch (instruction) {
            case BulkCopy.TensorLoad i -> {
                drop(index, "expect");
                offset(
                        index,
                        i.destination(),
                        128,
                        a -> new BulkCopy.TensorLoad(
                                a, i.map(), i.coordinates(), i.barrier(), i.multicast(), i.policy()));
                offset(
                        index,
                        i.barrier(),
                        8,
                        a -> new BulkCopy.TensorLoad(
                                i.destination(), i.map(), i.coordinates(), a, i.multicast(), i.policy()));
                replace(
                        index,
                        "offset",
                        "coordinates exchanged",
                        new BulkCopy.TensorLoad(
                                i.destination(),
                                i.map(),
                                reversed(i.coordinates()),
                                i.barrier(),
                                i.multicast(),
                                i.policy()));
                if (i.multicast().isPresent()) {
                    replace(
                            index,
                            "stage",
                            "no multicast",
                            new BulkCopy.TensorLoad(
                                    i.destination(),
                                    i.map(),
                                    i.coordinates(),
                                    i.barrier(),
                                    Optional.empty(),
                                    i.policy()));
                }
            }
            case BulkCopy.TensorStore i -> {
                drop(index, "commit");
                offset(index, i.source(), 128, a -> new BulkCopy.TensorStore(i.map(), i.coordinates(), a, i.policy()));
                replace(
                        index,
                        "offset",
                        "coordinates exchanged",
                        new BulkCopy.TensorStore(i.map(), reversed(i.coordinates()), i.source(), i.policy()));
            }
            case BulkCopy.CommitGroup _ -> drop(index, "commit");
            case BulkCopy.WaitGroup i -> {
                drop(index, "wait");
                lazily(index, "wait", "one more pending", () -> new BulkCopy.WaitGroup(i.pending() + 1, i.read()));
            }
            case BulkCopy.TensorReduce _,
                    BulkCopy.TensorPrefetch _,
                    BulkCopy.Load _,
                    BulkCopy.Store _,
                    BulkCopy.CreatePolicy _ -> {}
        }
    }

    private static List<Operand<B32>> reversed(List<Operand<B32>> coordinates) {
        return new ArrayList<>(coordinates).reversed();
    }

    private void wgmma(int index, Wgmma instruction) {
        switch (instruction) {
            case Wgmma.Fence _ -> drop(index, "fence");
            case Wgmma.CommitGroup _ -> drop(index, "commit");
            case Wgmma.WaitGroup i -> {
                drop(index, "wait");
                lazily(index, "wait", "one more pending", () -> new Wgmma.WaitGroup(i.pending() + 1));
            }
            case Wgmma.MmaAsync i -> {
                boolean fixed = i.scaleD() instanceof Wgmma.ScaleD.Fixed;
                replace(
                        index,
                        "predicate",
                        fixed ? "scale-d 0" : "scale-d 1",
                        new Wgmma.MmaAsync(
                                i.n(),
                                i.input(),
                                i.d(),
                                i.a(),
                                i.b(),
                                new Wgmma.ScaleD.Fixed(!fixed),
                                false,
                                false,
                                false));
            }
        }
    }

    private static Operand<B32> plus(Operand<B32> operand, int change) {
        if (operand instanceof Immediate<?> constant) {
            return Immediate.b32(constant.bits() + change);
        }
        throw new IllegalArgumentException("not a constant");
    }
}
