package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Barrier.ClusterAction;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Rules for tensor memory and what works in it. */
final class TensorRules {
    /** By how many columns an address is moved: the smallest allocation. */
    static final int COLUMNS = 32;

    private static final int NEXT_WARP = 32 << 16;

    private final List<Statement> body;
    private final Definitions definitions;
    private final Changes changes;

    TensorRules(List<Statement> body, Definitions definitions, Changes changes) {
        this.body = body;
        this.definitions = definitions;
        this.changes = changes;
    }

    void tensor(int index, Tcgen05 instruction) {
        switch (instruction) {
            case Tcgen05.Fence _ -> changes.drop(Rule.FENCE, index);
            case Tcgen05.WaitLoad _, Tcgen05.WaitStore _ -> changes.drop(Rule.WAIT, index);
            case Tcgen05.Multiply i -> multiply(index, i);
            case Tcgen05.Load i -> {
                Function<TensorAddress, Instruction> moved =
                        address -> new Tcgen05.Load(i.shape(), i.d(), address, i.split(), i.pack());
                columns(index, i.address(), moved);
                changes.replace(
                        Rule.TENSOR_ADDRESS,
                        index,
                        "32 lanes more",
                        () -> moved.apply(i.address().plus(NEXT_WARP)));
                earlyRelease(index);
            }
            case Tcgen05.Allocate i -> {
                changes.drop(Rule.ALLOCATION, index);
                changes.replace(
                        Rule.ALLOCATION,
                        index,
                        "half of the columns",
                        () -> new Tcgen05.Allocate(i.group(), i.destination(), half(i.columns())));
            }
            case Tcgen05.RelinquishPermit _ -> {
                changes.drop(Rule.ALLOCATION, index);
                last(index, at -> body.get(at) instanceof Tcgen05.Allocate)
                        .ifPresent(alloc -> changes.edit(
                                Rule.ALLOCATION,
                                index,
                                "before the allocation",
                                () -> Map.of(alloc, List.of(body.get(index), body.get(alloc)), index, List.of())));
            }
            case Tcgen05.Deallocate i -> {
                changes.drop(Rule.ALLOCATION, index);
                changes.replace(
                        Rule.ALLOCATION,
                        index,
                        "half of the columns",
                        () -> new Tcgen05.Deallocate(i.group(), i.address(), half(i.columns())));
                earlyDeallocation(index);
            }
            case Tcgen05.Store _, Tcgen05.Copy _, Tcgen05.Commit _ -> {}
        }
    }

    private static Operand<B32> half(Operand<B32> columns) {
        if (columns instanceof Immediate<?> constant) {
            return Immediate.b32(constant.bits() / 2);
        }
        throw new IllegalArgumentException("not a constant: " + columns);
    }

    private void columns(int index, TensorAddress address, Function<TensorAddress, Instruction> moved) {
        changes.replace(Rule.TENSOR_ADDRESS, index, "columns + " + COLUMNS, () -> moved.apply(address.plus(COLUMNS)));
        changes.replace(Rule.TENSOR_ADDRESS, index, "columns - " + COLUMNS, () -> moved.apply(address.plus(-COLUMNS)));
    }

    private void multiply(int index, Tcgen05.Multiply i) {
        Instruction not = new Compare.PredicateNot(i.accumulate(), i.accumulate());
        changes.edit(
                Rule.PREDICATE,
                index,
                "negate enable-input-d",
                () -> Map.of(index, List.of(not, body.get(index), not)));
        columns(
                index,
                i.d(),
                d -> new Tcgen05.Multiply(i.group(), i.kind(), d, i.a(), i.b(), i.descriptor(), i.accumulate()));
        if (i.descriptor() instanceof Immediate<?> constant) {
            int bits = (int) constant.bits();
            instruction(index, i, "other type of A", bits ^ 1 << 7);
            instruction(index, i, "other type of D", bits ^ 1 << 4);
            instruction(index, i, "negate A", bits ^ 1 << 13);
            instruction(index, i, "transpose B", bits ^ 1 << 16);
            instruction(index, i, "N + 16", bits + (2 << 17));
            int rows = bits >>> 24 & 31;
            instruction(index, i, "half of M", bits & ~(31 << 24) | rows / 2 << 24);
        }
    }

    private void instruction(int index, Tcgen05.Multiply i, String change, int bits) {
        changes.replace(
                Rule.INSTRUCTION,
                index,
                change,
                () -> new Tcgen05.Multiply(
                        i.group(), i.kind(), i.d(), i.a(), i.b(), Immediate.b32(bits), i.accumulate()));
    }

    /** The last load before an arrival, and its wait, moved behind that arrival. */
    private void earlyRelease(int load) {
        OptionalInt arrive = next(load, at -> definitions.instruction(at).orElse(null) instanceof Mbarrier.Arrive);
        OptionalInt wait = next(load, at -> body.get(at) instanceof Tcgen05.WaitLoad);
        OptionalInt another = next(load, at -> body.get(at) instanceof Tcgen05.Load);
        if (arrive.isEmpty()
                || wait.isEmpty()
                || wait.getAsInt() > arrive.getAsInt()
                || another.isPresent() && another.getAsInt() < arrive.getAsInt()) {
            return;
        }
        int after = end(load, arrive.getAsInt());
        Statement waiting = body.get(wait.getAsInt());
        changes.edit(
                Rule.EARLY_RELEASE,
                load,
                "load behind the arrival",
                () -> Map.of(
                        load,
                        List.of(),
                        wait.getAsInt(),
                        List.of(),
                        after,
                        List.of(body.get(after), body.get(load), waiting)));
        changes.edit(
                Rule.EARLY_RELEASE,
                load,
                "wait behind the arrival",
                () -> Map.of(wait.getAsInt(), List.of(), after, List.of(body.get(after), waiting)));
    }

    /** The end of the block that holds {@code inner} but not {@code outer}: {@code inner} itself, or a label. */
    private int end(int outer, int inner) {
        return IntStream.range(outer, inner)
                .filter(at -> body.get(at) instanceof Statement.Guarded)
                .flatMap(at -> definitions.instruction(at).orElseThrow() instanceof Control.Branch branch
                        ? IntStream.of(definitions.target(branch.label()))
                        : IntStream.empty())
                .filter(target -> target > inner)
                .max()
                .orElse(inner);
    }

    /** The last barrier before the deallocation goes behind it, to the end of the kernel. */
    private void earlyDeallocation(int index) {
        last(index, at -> body.get(at) instanceof Barrier.ClusterBarrier || body.get(at) instanceof Barrier.CtaBarrier)
                .ifPresent(last -> {
                    int first = body.get(last) instanceof Barrier.ClusterBarrier
                            ? last(last, this::arrivesAtCluster).orElseThrow()
                            : last;
                    int end = body.size() - 1;
                    changes.edit(
                            Rule.ALLOCATION,
                            index,
                            "before the last barrier",
                            () -> first == last
                                    ? Map.of(last, List.of(), end, List.of(body.get(last), body.get(end)))
                                    : Map.of(
                                            first,
                                            List.of(),
                                            last,
                                            List.of(),
                                            end,
                                            List.of(body.get(first), body.get(last), body.get(end))));
                });
    }

    private boolean arrivesAtCluster(int at) {
        return body.get(at) instanceof Barrier.ClusterBarrier barrier && barrier.action() == ClusterAction.ARRIVE;
    }

    private OptionalInt next(int index, IntPredicate is) {
        return IntStream.range(index + 1, body.size()).filter(is).findFirst();
    }

    private OptionalInt last(int index, IntPredicate is) {
        return IntStream.range(0, index).filter(is).reduce((_, at) -> at);
    }
}
