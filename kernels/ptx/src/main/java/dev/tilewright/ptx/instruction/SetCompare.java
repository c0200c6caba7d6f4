package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Comparisons beside {@link Compare}, and constant predicates. PTX 9.7.6, 9.7.7. */
public sealed interface SetCompare extends Ordinary, Computation {

    /**
     * {@code d = (a relation b) [op c]}, {@code complement = !(a relation b) [op c]}. For f16x2 and bf16x2 d is of the
     * low halves and the second predicate is of the high ones. All scalar types of 16 to 64 bits.
     */
    record SetPredicates(
            Relation relation,
            Optional<Combine> combine,
            boolean flushToZero,
            ScalarType type,
            Reg<Pred> d,
            Optional<Reg<Pred>> second,
            Operand<?> a,
            Operand<?> b)
            implements SetCompare {
        public SetPredicates {
            requireType("setp", relation, type);
            boolean pair = type == ScalarType.F16X2 || type == ScalarType.BF16X2;
            Check.that(!pair || second.isPresent(), "setp: a pair gives two predicates", "one");
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            second.ifPresent(q -> visitor.write(q, ScalarType.PRED));
            visitor.read(a, register(type));
            visitor.read(b, register(type));
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
            implements SetCompare {
        public SetValue {
            requireType("set", relation, type);
            Check.that(to.bits() == 16 || to.bits() == 32, "set: result must have 16 or 32 bits", "." + to.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, register(to));
            visitor.read(a, register(type));
            visitor.read(b, register(type));
            combine.ifPresent(c -> visitor.read(c.predicate(), ScalarType.PRED));
        }
    }

    /** {@code slct}: {@code d = c >= 0 ? a : b}; c is s32 or f32. PTX 9.7.6.4. */
    record SelectBySign(
            boolean flushToZero, ScalarType type, ScalarType of, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements SetCompare {
        public SelectBySign {
            Check.that(of == ScalarType.S32 || of == ScalarType.F32, "slct: decides by s32 or f32", "." + of.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, type);
            visitor.read(c, of);
        }
    }

    /** {@code mov.pred d, value}. */
    record ConstantPredicate(Reg<Pred> d, boolean value) implements SetCompare {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
        }
    }

    private static void requireType(String mnemonic, Relation relation, ScalarType type) {
        boolean ordered =
                type.isFloat() || (!relation.floatOnly() && (!type.isBits() || relation.compareTo(Relation.LT) < 0));
        Check.that(
                type.bits() >= 16 && type.bits() <= 64 && ordered,
                mnemonic + "." + relation.ptx() + ": type not allowed",
                "." + type.ptx());
    }

    private static ScalarType register(ScalarType type) {
        boolean half = type.isFloat() && type != ScalarType.F32 && type != ScalarType.F64;
        return half ? type.untyped() : type;
    }
}
