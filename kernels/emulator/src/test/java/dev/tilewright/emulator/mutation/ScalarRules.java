package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.List;
import java.util.Optional;

/** Rules for stages, parities, descriptors, the tile scheduler and the wgmma that all of them serve. */
final class ScalarRules {
    private static final int DESCRIPTOR_UNIT = 16;

    /** Fields of a descriptor's high word: stride in bits 32..45, base offset in 49..51, swizzle in 62..63. */
    private static final int STRIDE_MASK = 0x3FFF;

    private static final int BASE_OFFSET = 1 << 17;
    private static final int SWIZZLE = 1 << 30;
    /** Bit 46, which tcgen05 wants set. */
    private static final int CONSTANT = 1 << 14;

    private final Definitions definitions;
    private final Changes changes;
    private final int atom;
    /** What the counter of an atomic scheduler gave. */
    private final List<Reg<?>> drawn;

    ScalarRules(Definitions definitions, Changes changes, int atom, List<Reg<?>> drawn) {
        this.definitions = definitions;
        this.changes = changes;
        this.atom = atom;
        this.drawn = drawn;
    }

    void arithmetic(int index, Arithmetic instruction) {
        switch (instruction) {
            case Arithmetic.Binary i -> binary(index, i);
            case Arithmetic.MultiplyAdd i
            when definitions.isSlot(i.a()) && definitions.isTensorAddress(i.d()) -> accumulator(index, i);
            case Arithmetic.MultiplyAdd i
            when definitions.isSlot(i.a()) && i.b() instanceof Immediate<?> factor -> {
                int units = definitions.isDescriptorWord(i.d()) ? atom / DESCRIPTOR_UNIT : atom;
                changes.replace(Rule.OFFSET, index, "factor + " + units, () -> withFactor(i, factor.bits() + units));
            }
            default -> {}
        }
    }

    /** Where the accumulators of a slot begin. */
    private void accumulator(int index, Arithmetic.MultiplyAdd i) {
        if (i.b() instanceof Immediate<?> factor) {
            changes.replace(
                    Rule.TENSOR_ADDRESS,
                    index,
                    "factor + " + TensorRules.COLUMNS,
                    () -> withFactor(i, factor.bits() + TensorRules.COLUMNS));
            changes.replace(Rule.TENSOR_ADDRESS, index, "factor 0", () -> withFactor(i, 0));
        }
    }

    private static Instruction withFactor(Arithmetic.MultiplyAdd i, long factor) {
        return new Arithmetic.MultiplyAdd(i.half(), i.type(), i.d(), i.a(), Immediate.b32(factor), i.c());
    }

    private void binary(int index, Arithmetic.Binary i) {
        boolean inPlace = i.d().equals(i.a());
        switch (i.operation()) {
            case XOR -> {
                if (definitions.isParity(i.d())) {
                    if (inPlace) {
                        changes.drop(Rule.PARITY, index);
                    } else {
                        changes.replace(Rule.PARITY, index, "copy", () -> copy(i));
                    }
                }
            }
            case ADD -> {
                if (i.b() instanceof Immediate<?> step && step.bits() == 1 && inPlace && definitions.isSlot(i.d())) {
                    changes.replace(Rule.STAGE, index, "add 2", () -> with(i, Immediate.b32(2)));
                    changes.replace(Rule.STAGE, index, "add 0", () -> with(i, Immediate.b32(0)));
                } else if (i.b() instanceof Immediate<?> step && definitions.isDescriptor(i.d())) {
                    changes.replace(
                            Rule.DESCRIPTOR, index, "one unit more", () -> with(i, Immediate.b64(step.bits() + 1)));
                    changes.replace(Rule.DESCRIPTOR, index, "drop", () -> copy(i));
                } else if (i.b() instanceof Reg<?> && inPlace) {
                    changes.drop(Rule.SCHEDULER, index);
                    changes.replace(Rule.SCHEDULER, index, "add 1", () -> with(i, Immediate.b32(1)));
                } else if (i.a() instanceof Reg<?> a && drawn.contains(a)) {
                    changes.replace(Rule.SCHEDULER, index, "drop the addend", () -> copy(i));
                }
            }
            default -> {}
        }
    }

    private static Instruction copy(Arithmetic.Binary i) {
        return new Move.Copy(i.type().untyped(), i.d(), i.a());
    }

    private static Instruction with(Arithmetic.Binary i, Operand<?> b) {
        return new Arithmetic.Binary(i.operation(), i.type(), i.d(), i.a(), b);
    }

    void compare(int index, Compare instruction) {
        switch (instruction) {
            case Compare.SetPredicate i
            when i.relation() == Relation.EQ && definitions.isSlot(i.a()) && i.b() instanceof Immediate<?> size -> {
                for (int change : new int[] {1, -1}) {
                    changes.replace(
                            Rule.STAGE,
                            index,
                            change > 0 ? "one slot more" : "one slot fewer",
                            () -> new Compare.SetPredicate(
                                    i.relation(),
                                    i.combine(),
                                    i.type(),
                                    i.d(),
                                    i.a(),
                                    Immediate.b32(size.bits() + change)));
                }
            }
            case Compare.Select i
            when definitions.isSlot(i.d()) && i.d().equals(i.b()) -> changes.drop(Rule.STAGE, index);
            case Compare.SetPredicate _,
                    Compare.SetValue _,
                    Compare.Select _,
                    Compare.SelectBySign _,
                    Compare.PredicateBinary _,
                    Compare.PredicateNot _ -> {}
        }
    }

    void move(int index, Move instruction) {
        switch (instruction) {
            case Move.Copy i
            when definitions.isParity(i.d()) && i.a() instanceof Immediate<?> first ->
                changes.replace(
                        Rule.PARITY,
                        index,
                        "begin with the other",
                        () -> new Move.Copy(i.type(), i.d(), Immediate.b32(first.bits() ^ 1)));
            case Move.Pack i
            when definitions.isDescriptor(i.d()) && i.parts().getLast() instanceof Immediate<?> high -> {
                long word = high.bits();
                field(index, i, "stride + 1", (word & ~STRIDE_MASK) | (word + 1 & STRIDE_MASK));
                field(index, i, "base offset + 1", word + BASE_OFFSET);
                field(index, i, "swizzle code", word ^ SWIZZLE);
                if (definitions.isTensorDescriptor(i.d())) {
                    field(index, i, "no constant", word & ~CONSTANT);
                }
            }
            default -> {}
        }
    }

    private void field(int index, Move.Pack i, String change, long word) {
        changes.replace(
                Rule.DESCRIPTOR,
                index,
                change,
                () -> new Move.Pack(i.type(), i.d(), List.of(i.parts().getFirst(), Immediate.b32((int) word))));
    }

    /** The counter of the atomic scheduler. */
    void counter(int index, Memory.Atomic i) {
        if (i.operation() != AtomicOperation.INC) {
            return;
        }
        changes.replace(
                Rule.SCHEDULER,
                index,
                "dec",
                () -> new Memory.Atomic(
                        i.ordering(),
                        AtomicOperation.DEC,
                        i.noFlush(),
                        i.type(),
                        i.d(),
                        i.address(),
                        i.b(),
                        i.c(),
                        i.policy()));
        if (i.b().getFirst() instanceof Reg<?> bound) {
            definitions.writer(bound).ifPresent(at -> {
                if (definitions.instruction(at).orElseThrow() instanceof Arithmetic.Binary sub
                        && sub.operation() == IntegerOperation.SUB
                        && sub.b() instanceof Immediate<?> one) {
                    changes.replace(Rule.SCHEDULER, at, "bound + 1", () -> with(sub, Immediate.b32(one.bits() - 1)));
                    changes.replace(Rule.SCHEDULER, at, "bound - 1", () -> with(sub, Immediate.b32(one.bits() + 1)));
                }
            });
        }
    }

    void wgmma(int index, Wgmma instruction) {
        switch (instruction) {
            case Wgmma.Fence _ -> changes.drop(Rule.FENCE, index);
            case Wgmma.CommitGroup _ -> changes.drop(Rule.COMMIT, index);
            case Wgmma.WaitGroup i -> {
                changes.drop(Rule.WAIT, index);
                changes.replace(Rule.WAIT_COUNT, index, "one more pending", () -> new Wgmma.WaitGroup(i.pending() + 1));
            }
            case Wgmma.MmaAsync i -> {
                List<Boolean> others = switch (i.scaleD()) {
                    case Wgmma.ScaleD.Fixed fixed -> List.of(!fixed.accumulate());
                    case Wgmma.ScaleD.When _ -> List.of(true, false);
                };
                for (boolean accumulate : others) {
                    changes.replace(
                            Rule.PREDICATE,
                            index,
                            "scale-d " + (accumulate ? 1 : 0),
                            () -> new Wgmma.MmaAsync(
                                    i.n(),
                                    i.accumulator(),
                                    i.typeA(),
                                    i.typeB(),
                                    i.saturate(),
                                    i.d(),
                                    i.a(),
                                    i.b(),
                                    new Wgmma.ScaleD.Fixed(accumulate),
                                    i.negateA(),
                                    i.negateB(),
                                    i.transposeB()));
                }
            }
        }
    }

    /** The registers into which a counter is drawn. */
    static Optional<Reg<?>> drawn(Instruction instruction) {
        return instruction instanceof Memory.Atomic atomic && atomic.operation() == AtomicOperation.INC
                ? Optional.of(atomic.d().getFirst())
                : Optional.empty();
    }
}
