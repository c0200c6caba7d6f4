package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Comparison, selection and logic on predicates. Executed by each thread. PTX 9.7.6, 9.7.8. */
public sealed interface Compare extends Computation {

    /** The relation. For integers signedness comes from the type. */
    enum Relation {
        EQ("eq"),
        NE("ne"),
        LT("lt"),
        LE("le"),
        GT("gt"),
        GE("ge"),
        /** Float: true also if an operand is NaN. */
        LTU("ltu"),
        GTU("gtu"),
        GEU("geu"),
        LEU("leu"),
        NEU("neu"),
        EQU("equ"),
        /** Float: either is NaN. */
        NAN("nan"),
        /** Float: neither is NaN. */
        NUM("num");

        private final String ptx;

        Relation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }

        boolean floatOnly() {
            return compareTo(LTU) >= 0;
        }
    }

    /** A boolean operation on predicates. */
    enum BooleanOperation {
        AND("and"),
        OR("or"),
        XOR("xor");

        private final String ptx;

        BooleanOperation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** The third input of a combining setp: the relation's result {@code op} (maybe negated) predicate. */
    record Combine(BooleanOperation operation, Reg<Pred> predicate, boolean negated) {}

    /** {@code d = (a relation b) [op c]}. Types: 16 to 64 bit integers, bits (eq, ne), f32, f64. PTX 9.7.6.2. */
    record SetPredicate(
            Relation relation, Optional<Combine> combine, ScalarType type, Reg<Pred> d, Operand<?> a, Operand<?> b)
            implements Compare {
        public SetPredicate {
            boolean legal = type.bits() >= 16
                    && type.bits() <= 64
                    && (type.isFloat()
                            ? type == ScalarType.F32 || type == ScalarType.F64
                            : !relation.floatOnly()
                                    && (!type.isBits() || relation == Relation.EQ || relation == Relation.NE));
            Check.that(legal, "setp." + relation.ptx() + ": type not allowed", "." + type.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.read(a, type);
            visitor.read(b, type);
            combine.ifPresent(c -> visitor.read(c.predicate(), ScalarType.PRED));
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

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, type);
            visitor.read(p, ScalarType.PRED);
        }
    }

    /** {@code d = a op b} on predicates. PTX 9.7.8. */
    record PredicateBinary(BooleanOperation operation, Reg<Pred> d, Reg<Pred> a, Reg<Pred> b) implements Compare {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.read(a, ScalarType.PRED);
            visitor.read(b, ScalarType.PRED);
        }
    }

    /** {@code d = !a} on predicates. PTX 9.7.8.4. */
    record PredicateNot(Reg<Pred> d, Reg<Pred> a) implements Compare {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.read(a, ScalarType.PRED);
        }
    }
}
