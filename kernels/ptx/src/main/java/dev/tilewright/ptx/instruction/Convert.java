package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** Conversion of values and of addresses. Executed by each thread. PTX 9.7.9.20 to 9.7.9.22. */
public sealed interface Convert extends Computation {

    /**
     * {@code d = (to) a}. Registers may be wider than the types. Rounding: needed from a wider to a narrower float (rn,
     * rz, rm, rp), from integer to float (the same), from float to integer (rni, rzi, rmi, rpi); none otherwise. From
     * bf16 needs PTX ISA 7.8 and sm_90. PTX 9.7.9.21.
     */
    record Cvt(Rounding rounding, ScalarType to, ScalarType from, Reg<?> d, Operand<?> a) implements Convert {
        public Cvt {
            String what = "cvt." + to.ptx() + "." + from.ptx();
            Check.that(scalar(to) && scalar(from), "cvt: types must be integers, f16, bf16, f32 or f64", what);
            boolean integral = rounding.ordinal() >= Rounding.RNI.ordinal() && rounding != Rounding.APPROX;
            boolean ieee = rounding.ordinal() >= Rounding.RN.ordinal() && rounding.ordinal() <= Rounding.RP.ordinal();
            boolean legal;
            if (from.isFloat() && to.isFloat()) {
                boolean none = rounding == Rounding.NONE;
                legal = to.bits() < from.bits()
                        ? ieee
                        : to.bits() > from.bits() ? none : to == from ? !ieee : ieee || none;
            } else if (from.isFloat()) {
                legal = integral;
            } else if (to.isFloat()) {
                legal = ieee;
            } else {
                legal = rounding == Rounding.NONE;
            }
            Check.that(legal, what + ": rounding not allowed", rounding);
        }

        private static boolean scalar(ScalarType type) {
            return type.isInteger()
                    || type == ScalarType.F16
                    || type == ScalarType.BF16
                    || type == ScalarType.F32
                    || type == ScalarType.F64;
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.writeWide(d, to);
            visitor.readWide(a, from);
        }

        @Override
        public Requirement requires() {
            boolean bf16 = to == ScalarType.BF16 || from == ScalarType.BF16;
            return bf16 ? new Requirement(Requirement.BASE.since(), 90, Requirement.Kind.FROM_HERE) : Requirement.BASE;
        }
    }

    /**
     * {@code d = {(to) high, (to) low}}: two f32 to bf16x2 or f16x2; the FIRST source goes to the upper half. sm_80.
     */
    record Pair(Rounding rounding, ScalarType to, Reg<B32> d, Operand<?> high, Operand<?> low) implements Convert {
        public Pair {
            Check.that(
                    to == ScalarType.BF16X2 || to == ScalarType.F16X2,
                    "cvt: a pair is bf16x2 or f16x2",
                    "." + to.ptx());
            Check.that(
                    rounding == Rounding.RN || rounding == Rounding.RZ,
                    "cvt." + to.ptx() + ".f32: rounding must be rn or rz",
                    rounding);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(high, ScalarType.F32);
            visitor.read(low, ScalarType.F32);
        }

        @Override
        public Requirement requires() {
            return new Requirement(Requirement.BASE.since(), 80, Requirement.Kind.FROM_HERE);
        }
    }

    /** An address of {@code space} made generic: {@code cvta.space.u64}. PTX 9.7.9.20. */
    record ToGeneric(StateSpace space, Reg<B64> d, Operand<?> a) implements Convert {
        public ToGeneric {
            requireSpace(space);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U64);
            visitor.read(a, ScalarType.U64);
        }
    }

    /** A generic address made one of {@code space}: {@code cvta.to.space.u64}. PTX 9.7.9.20. */
    record FromGeneric(StateSpace space, Reg<B64> d, Operand<?> a) implements Convert {
        public FromGeneric {
            requireSpace(space);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U64);
            visitor.read(a, ScalarType.U64);
        }
    }

    private static void requireSpace(StateSpace space) {
        Check.that(space != StateSpace.GENERIC, "cvta: needs a state space", space);
    }
}
