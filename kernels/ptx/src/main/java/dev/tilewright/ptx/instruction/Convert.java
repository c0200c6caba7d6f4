package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Optional;

/** Conversion of values and of addresses. Executed by each thread. PTX 9.7.9.19 to 9.7.9.22. */
public sealed interface Convert extends Computation {

    /**
     * The modifiers of the conversion.
     *
     * @param flushToZero subnormal f32 become zero
     * @param saturate to the range of the integer, or to 0..1
     * @param relu negative results become 0
     * @param finite results beyond the range become the largest finite value
     */
    record Options(boolean flushToZero, boolean saturate, boolean relu, boolean finite) {
        public static final Options NONE = new Options(false, false, false, false);
    }

    /**
     * {@code d = (to) a}. Registers may be wider than the types. Rounding: needed from a wider to a narrower float (rn,
     * rz, rm, rp), from integer to float (the same), from float to integer (rni, rzi, rmi, rpi); none otherwise. bf16
     * needs PTX ISA 7.8 and sm_90. PTX 9.7.9.21.
     */
    record Cvt(Rounding rounding, Options options, ScalarType to, ScalarType from, Reg<?> d, Operand<?> a)
            implements Convert, Irregular {
        public Cvt {
            String what = "cvt." + to.ptx() + "." + from.ptx();
            Check.that(scalar(to) && scalar(from), "cvt: types must be integers, f16, bf16, f32 or f64", what);
            boolean none = rounding == Rounding.NONE;
            boolean legal;
            if (from.isFloat() && to.isFloat()) {
                legal = to.bits() < from.bits()
                        ? rounding.ieee()
                        : to.bits() > from.bits() ? none : none || (to == from ? rounding.integral() : rounding.ieee());
            } else if (from.isFloat()) {
                legal = rounding.integral();
            } else {
                legal = to.isFloat() ? rounding.ieee() : none;
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
    record Pair(Rounding rounding, Options options, ScalarType to, Reg<?> d, Operand<?> high, Operand<?> low)
            implements Convert {
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
        public Requirement requires() {
            return new Requirement(Requirement.BASE.since(), 80, Requirement.Kind.FROM_HERE);
        }
    }

    /** How {@link ToTf32} rounds. */
    enum Tf32Rounding implements Spelled {
        /** To nearest, ties away from zero. */
        RNA,
        RN,
        RZ
    }

    /**
     * {@code cvt.tf32.f32}: an f32 with the 10 mantissa bits of tf32, in 32 bits. {@code finite} and {@code relu} as of
     * {@link Options}. PTX 9.7.9.21.
     */
    record ToTf32(Tf32Rounding rounding, boolean finite, boolean relu, Reg<?> d, Operand<?> a) implements Convert {}

    /** {@code cvt.rn.satfinite.e4m3x2.f32 d, high, low}: 16 bits; the first source goes high. */
    record ToFp8(Element to, boolean relu, Reg<?> d, Operand<?> high, Operand<?> low) implements Convert {
        public ToFp8 {
            requireEight(to);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(7, 8);
        }
    }

    /** {@code cvt.rn.satfinite.e4m3x2.f16x2 d, a}: half by half. */
    record HalvesToFp8(Element to, boolean relu, Reg<?> d, Operand<?> a) implements Convert {
        public HalvesToFp8 {
            requireEight(to);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(7, 8);
        }
    }

    /** {@code cvt.rn.f16x2.e4m3x2 d, a}: half by half, exact but for relu. */
    record Fp8ToHalves(Element from, boolean relu, Reg<?> d, Operand<?> a) implements Convert {
        public Fp8ToHalves {
            requireEight(from);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(7, 8);
        }
    }

    /** Integers that {@link SaturateAndPack} makes. */
    enum Narrow implements Spelled {
        U16(16),
        S16(16),
        U8(8),
        S8(8),
        U4(4),
        S4(4),
        U2(2),
        S2(2);

        private final int bits;

        Narrow(int bits) {
            this.bits = bits;
        }

        public int bits() {
            return bits;
        }
    }

    /**
     * {@code cvt.pack.sat}: the s32 a and b saturated to the narrow type, b in the lowest bits of d, a above it, and
     * above them the low bits of c, which the types below 16 bits have.
     */
    record SaturateAndPack(Narrow to, Reg<?> d, Operand<?> a, Operand<?> b, Optional<Operand<?>> c) implements Convert {
        public SaturateAndPack {
            Check.that(
                    c.isPresent() == to.bits() < 16,
                    "cvt.pack." + to.ptx() + ": a third operand goes with types below 16 bits",
                    c.isPresent() ? "one" : "none");
        }
    }

    /** An address of {@code space} made generic: {@code cvta.space.u64}. PTX 9.7.9.20. */
    record ToGeneric(StateSpace space, Reg<B64> d, Operand<?> a) implements Convert {
        public ToGeneric {
            requireSpace(space);
        }
    }

    /** A generic address made one of {@code space}: {@code cvta.to.space.u64}. PTX 9.7.9.20. */
    record FromGeneric(StateSpace space, Reg<B64> d, Operand<?> a) implements Convert {
        public FromGeneric {
            requireSpace(space);
        }
    }

    /** {@code cvta.space.u64 d, symbol+offset}: the generic address of a variable. */
    record GenericAddressOf(Reg<?> d, String symbol, StateSpace space, int offset) implements Convert, Irregular {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U64);
            visitor.symbol(symbol, space);
        }
    }

    /** {@code isspacep.space d, a}: whether a generic address lies in the space. PTX 9.7.9.19. */
    record IsInSpace(StateSpace space, Reg<Pred> d, Operand<?> a) implements Convert {
        public IsInSpace {
            Check.that(space != StateSpace.GENERIC, "isspacep: needs a state space", space);
        }
    }

    private static void requireEight(Element type) {
        Check.that(type.isEight(), "cvt: a pair of 8-bit floats is e4m3 or e5m2", type);
    }

    private static void requireSpace(StateSpace space) {
        Check.that(space != StateSpace.GENERIC, "cvta: needs a state space", space);
    }
}
