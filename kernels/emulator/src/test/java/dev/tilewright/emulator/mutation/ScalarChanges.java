package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.Set;

/** Changes to ordinary instructions: stage indices, offsets, parities and predicates. */
final class ScalarChanges {
    private final Changes changes;
    private final Set<Reg<?>> parities;

    /**
     * Changes that go the way of others.
     *
     * @param parities registers that a wait takes as its parity
     */
    ScalarChanges(Changes changes, Set<Reg<?>> parities) {
        this.changes = changes;
        this.parities = parities;
    }

    void arithmetic(int index, Arithmetic instruction) {
        switch (instruction) {
            case Arithmetic.Binary i
            when i.operation() == IntegerOperation.XOR && parities.contains(i.d()) -> {
                changes.drop(index, "parity");
            }
            case Arithmetic.Binary i
            when i.operation() == IntegerOperation.ADD
                    && i.d().equals(i.a())
                    && i.b() instanceof Immediate<?> step
                    && step.bits() == 1 -> changes.replace(index, "stage", "advance by 2", binary(i, 2));
            case Arithmetic.Binary i
            when i.operation() == IntegerOperation.ADD
                    && i.b() instanceof Immediate<?> constant
                    && constant.bits() >= 16 ->
                changes.replace(index, "offset", "constant + 16", binary(i, constant.bits() + 16));
            case Arithmetic.MultiplyAdd i
            when i.a() instanceof Reg<?> && i.b() instanceof Immediate<?> constant && constant.bits() >= 16 ->
                changes.replace(
                        index,
                        "offset",
                        "factor + 16",
                        new Arithmetic.MultiplyAdd(
                                i.half(), i.type(), i.d(), i.a(), Immediate.b32(constant.bits() + 16), i.c()));
            default -> {}
        }
    }

    private static Arithmetic.Binary binary(Arithmetic.Binary i, long constant) {
        Operand<?> b = i.type().bits() == 64 ? Immediate.b64(constant) : Immediate.b32(constant);
        return new Arithmetic.Binary(i.operation(), i.type(), i.d(), i.a(), b);
    }

    void compare(int index, Compare instruction) {
        switch (instruction) {
            case Compare.SetPredicate i -> {
                Relation inverse = inverse(i.relation());
                changes.replace(
                        index,
                        "predicate",
                        inverse.ptx(),
                        new Compare.SetPredicate(inverse, i.combine(), i.type(), i.d(), i.a(), i.b()));
                if (i.relation() == Relation.EQ && i.b() instanceof Immediate<?> wrap && wrap.bits() > 1) {
                    changes.replace(
                            index,
                            "stage",
                            "wrap later",
                            new Compare.SetPredicate(
                                    i.relation(), i.combine(), i.type(), i.d(), i.a(), Immediate.b32(wrap.bits() + 1)));
                    changes.replace(
                            index,
                            "stage",
                            "wrap sooner",
                            new Compare.SetPredicate(
                                    i.relation(), i.combine(), i.type(), i.d(), i.a(), Immediate.b32(wrap.bits() - 1)));
                }
            }
            case Compare.Select _, Compare.PredicateBinary _, Compare.PredicateNot _ -> {}
        }
    }

    private static Relation inverse(Relation relation) {
        return switch (relation) {
            case EQ -> Relation.NE;
            case NE -> Relation.EQ;
            case LT -> Relation.GE;
            case LE -> Relation.GT;
            case GT -> Relation.LE;
            case GE -> Relation.LT;
            case LTU, GTU, GEU, LEU, NEU, EQU, NAN, NUM -> relation;
        };
    }
}
