package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.Compare.PredicateBinary;
import dev.tilewright.ptx.instruction.Compare.PredicateNot;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Compare.Select;
import dev.tilewright.ptx.instruction.Compare.SetPredicate;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.Bits;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Comparisons (unsigned unless the name says signed), selection, logic on predicates. */
public interface CompareCode extends Emitter {
    /** {@code d = a relation b}, compared as {@code type}. */
    default <T extends RegisterType> void setp(
            Relation relation, ScalarType type, Reg<Pred> d, Operand<T> a, Operand<T> b) {
        with(new SetPredicate(relation, Optional.empty(), type, d, a, b));
    }

    default <T extends RegisterType> Reg<Pred> setp(Relation relation, ScalarType type, Operand<T> a, Operand<T> b) {
        return into(pred(), d -> setp(relation, type, d, a, b));
    }

    /** {@code d = a == b}. */
    default <T extends Bits> void eq(Reg<Pred> d, Operand<T> a, Operand<T> b) {
        setp(Relation.EQ, a.type().unsigned(), d, a, b);
    }

    default <T extends Bits> void eq(Reg<Pred> d, Operand<T> a, long b) {
        eq(d, a, new Immediate<>(a.type(), b));
    }

    default <T extends Bits> Reg<Pred> eq(Operand<T> a, Operand<T> b) {
        return into(pred(), d -> eq(d, a, b));
    }

    default <T extends Bits> Reg<Pred> eq(Operand<T> a, long b) {
        return eq(a, new Immediate<>(a.type(), b));
    }

    /** {@code d = a != b}. */
    default <T extends Bits> void ne(Reg<Pred> d, Operand<T> a, Operand<T> b) {
        setp(Relation.NE, a.type().unsigned(), d, a, b);
    }

    default <T extends Bits> void ne(Reg<Pred> d, Operand<T> a, long b) {
        ne(d, a, new Immediate<>(a.type(), b));
    }

    default <T extends Bits> Reg<Pred> ne(Operand<T> a, Operand<T> b) {
        return into(pred(), d -> ne(d, a, b));
    }

    default <T extends Bits> Reg<Pred> ne(Operand<T> a, long b) {
        return ne(a, new Immediate<>(a.type(), b));
    }

    /** {@code d = a < b}. */
    default <T extends Bits> void lt(Reg<Pred> d, Operand<T> a, Operand<T> b) {
        setp(Relation.LT, a.type().unsigned(), d, a, b);
    }

    default <T extends Bits> Reg<Pred> lt(Operand<T> a, Operand<T> b) {
        return into(pred(), d -> lt(d, a, b));
    }

    default <T extends Bits> Reg<Pred> lt(Operand<T> a, long b) {
        return lt(a, new Immediate<>(a.type(), b));
    }

    /** {@code d = a >= b}. */
    default <T extends Bits> void ge(Reg<Pred> d, Operand<T> a, Operand<T> b) {
        setp(Relation.GE, a.type().unsigned(), d, a, b);
    }

    default <T extends Bits> Reg<Pred> ge(Operand<T> a, Operand<T> b) {
        return into(pred(), d -> ge(d, a, b));
    }

    default <T extends Bits> Reg<Pred> ge(Operand<T> a, long b) {
        return ge(a, new Immediate<>(a.type(), b));
    }

    /** {@code d = a > b}. */
    default <T extends Bits> void gt(Reg<Pred> d, Operand<T> a, Operand<T> b) {
        setp(Relation.GT, a.type().unsigned(), d, a, b);
    }

    default <T extends Bits> Reg<Pred> gt(Operand<T> a, Operand<T> b) {
        return into(pred(), d -> gt(d, a, b));
    }

    /** {@code d = p ? a : b}. */
    default <T extends RegisterType> void select(Reg<T> d, Reg<Pred> p, Operand<T> a, Operand<T> b) {
        with(new Select(d.type(), d, a, b, p));
    }

    default <T extends RegisterType> void select(Reg<T> d, Reg<Pred> p, long a, Operand<T> b) {
        select(d, p, new Immediate<>(d.type(), a), b);
    }

    default <T extends RegisterType> Reg<T> select(Reg<Pred> p, Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> select(d, p, a, b));
    }

    /** {@code d = false}. */
    default void clear(Reg<Pred> d) {
        ne(d, Immediate.b32(0), 0);
    }

    /** {@code d = a && b}. */
    default void andPred(Reg<Pred> d, Reg<Pred> a, Reg<Pred> b) {
        with(new PredicateBinary(BooleanOperation.AND, d, a, b));
    }

    default Reg<Pred> andPred(Reg<Pred> a, Reg<Pred> b) {
        return into(pred(), d -> andPred(d, a, b));
    }

    /** {@code d = a || b}. */
    default void orPred(Reg<Pred> d, Reg<Pred> a, Reg<Pred> b) {
        with(new PredicateBinary(BooleanOperation.OR, d, a, b));
    }

    default Reg<Pred> orPred(Reg<Pred> a, Reg<Pred> b) {
        return into(pred(), d -> orPred(d, a, b));
    }

    /** {@code d = !a}. */
    default Reg<Pred> notPred(Reg<Pred> a) {
        return into(pred(), d -> with(new PredicateNot(d, a)));
    }
}
