package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;
import java.util.Optional;

/** Comparison, selection and logic on predicates. Executed by each thread. PTX 9.7.6, 9.7.8. */
public sealed interface Compare extends Computation {

    /** The relation. For integers signedness comes from the type. */
    enum Relation implements Spelled {
        EQ,
        NE,
        LT,
        LE,
        GT,
        GE,
        /** Float: true also if an operand is NaN. */
        LTU,
        GTU,
        GEU,
        LEU,
        NEU,
        EQU,
        /** Float: either is NaN. */
        NAN,
        /** Float: neither is NaN. */
        NUM;

        boolean floatOnly() {
            return compareTo(LTU) >= 0;
        }
    }

    /** A boolean operation on predicates. */
    enum BooleanOperation implements Spelled {
        AND,
        OR,
        XOR
    }

    /** The third input of a combining setp: the relation's result {@code op} (maybe negated) predicate. */
    record Combine(BooleanOperation operation, Reg<Pred> predicate, boolean negated) {}

    /**
     * {@code d = (a relation b) [op c]}, {@code complement = !(a relation b) [op c]}. For f16x2 and bf16x2 d is of the
     * low halves and the second predicate is of the high ones. Types: integers and floats of 16 to 64 bits, bits for eq
     * and ne. PTX 9.7.6.2.
     */
    record SetPredicate(
            Relation relation,
            Optional<Combine> combine,
            boolean flushToZero,
            ScalarType type,
            Reg<Pred> d,
            Optional<Reg<Pred>> second,
            Operand<?> a,
            Operand<?> b)
            implements Compare, Irregular {
        public SetPredicate {
            requireType("setp", relation, type);
            boolean pair = type == ScalarType.F16X2 || type == ScalarType.BF16X2;
            Check.that(!pair || second.isPresent(), "setp: a pair gives two predicates", "one");
        }

        /** With one result. */
        public SetPredicate(
                Relation relation,
                Optional<Combine> combine,
                ScalarType type,
                Reg<Pred> d,
                Operand<?> a,
                Operand<?> b) {
            this(relation, combine, false, type, d, Optional.empty(), a, b);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            second.ifPresent(q -> visitor.write(q, ScalarType.PRED));
            visitor.reads(type.register(), a, b);
            combine.ifPresent(c -> visitor.read(c.predicate(), ScalarType.PRED));
        }
    }

    /**
     * {@code set}: {@code d} = true or false as a value: all ones or 0 for integers, 1.0 or 0.0 for floats. {@code to}
     * is u32, s32, f32, or a half type; for pairs each half on its own.
     */
    record SetValue(
            Relation relation,
            Optional<Combine> combine,
            boolean flushToZero,
            ScalarType to,
            ScalarType type,
            Reg<?> d,
            Operand<?> a,
            Operand<?> b)
            implements Compare, Irregular {
        public SetValue {
            requireType("set", relation, type);
            Check.that(to.bits() == 16 || to.bits() == 32, "set: result must have 16 or 32 bits", "." + to.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, to.register());
            visitor.reads(type.register(), a, b);
            combine.ifPresent(c -> visitor.read(c.predicate(), ScalarType.PRED));
        }
    }

    /** {@code slct}: {@code d = c >= 0 ? a : b}; c is s32 or f32. PTX 9.7.6.4. */
    record SelectBySign(
            boolean flushToZero, ScalarType type, ScalarType of, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements Compare {
        public SelectBySign {
            Check.that(of == ScalarType.S32 || of == ScalarType.F32, "slct: decides by s32 or f32", "." + of.ptx());
        }
    }

    /** {@code d = p ? a : b}. Types: 16 to 64 bits. PTX 9.7.6.3. */
    record Select(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Reg<Pred> p) implements Compare {
        public Select {
            Check.that(
                    type.bits() >= 16
                            && type.bits() <= 64
                            && (!type.isFloat() || type == ScalarType.F32 || type == ScalarType.F64),
                    "selp: type not allowed",
                    "." + type.ptx());
        }
    }

    /** {@code d = a op b} on predicates. PTX 9.7.8. */
    record PredicateBinary(BooleanOperation operation, Reg<Pred> d, Reg<Pred> a, Reg<Pred> b) implements Compare {}

    /** {@code d = !a} on predicates. PTX 9.7.8.4. */
    record PredicateNot(Reg<Pred> d, Reg<Pred> a) implements Compare {}

    private static void requireType(String mnemonic, Relation relation, ScalarType type) {
        boolean ordered = (type.isFloat() && type != ScalarType.F32X2)
                || (!relation.floatOnly() && (!type.isBits() || relation.compareTo(Relation.LT) < 0));
        Check.that(
                type.bits() >= 16 && type.bits() <= 64 && ordered,
                mnemonic + "." + relation.ptx() + ": type not allowed",
                "." + type.ptx());
    }
}
