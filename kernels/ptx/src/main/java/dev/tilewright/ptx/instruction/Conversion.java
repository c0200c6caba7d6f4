package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** Conversions with options, and addresses of variables beyond {@link Convert} and {@link Move}. PTX 9.7.9. */
public sealed interface Conversion extends Ordinary, Computation {
    /**
     * What is done beside the conversion.
     *
     * @param flushToZero subnormal f32 become zero
     * @param saturate to the range of the integer, or to 0..1
     * @param relu negative results become 0
     * @param finite results beyond the range become the largest finite value
     */
    record Options(boolean flushToZero, boolean saturate, boolean relu, boolean finite) {
        public String ptx() {
            return (flushToZero ? ".ftz" : "")
                    + (saturate ? ".sat" : "")
                    + (relu ? ".relu" : "")
                    + (finite ? ".satfinite" : "");
        }
    }

    /** {@code d = (to) a}, as {@link Convert.Cvt} with options. Registers may be wider than the types. */
    record Cvt(Rounding rounding, Options options, ScalarType to, ScalarType from, Reg<?> d, Operand<?> a)
            implements Conversion {
        public Cvt {
            boolean scalar = to.bits() <= 64 && from.bits() <= 64 && !to.isBits() && !from.isBits();
            boolean single = to != ScalarType.F16X2
                    && to != ScalarType.BF16X2
                    && from != ScalarType.F16X2
                    && from != ScalarType.BF16X2
                    && to != ScalarType.PRED
                    && from != ScalarType.PRED;
            Check.that(scalar && single, "cvt: types must be integers or floats", to.ptx() + "." + from.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.writeWide(d, half(to));
            visitor.readWide(a, half(from));
        }
    }

    /** {@code d = {(to) high, (to) low}} of two f32 to f16x2 or bf16x2 with options; the first source goes high. */
    record Pair(Rounding rounding, Options options, ScalarType to, Reg<?> d, Operand<?> high, Operand<?> low)
            implements Conversion {
        public Pair {
            Check.that(
                    to == ScalarType.BF16X2 || to == ScalarType.F16X2,
                    "cvt: a pair is bf16x2 or f16x2",
                    "." + to.ptx());
            Check.that(rounding == Rounding.RN || rounding == Rounding.RZ, "cvt: rounding must be rn or rz", rounding);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(high, ScalarType.F32);
            visitor.read(low, ScalarType.F32);
        }
    }

    /** How {@link ToTf32} rounds. */
    enum Tf32Rounding {
        /** To nearest, ties away from zero. */
        RNA("rna"),
        RN("rn"),
        RZ("rz");

        private final String ptx;

        Tf32Rounding(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code cvt.tf32.f32}: an f32 with the 10 mantissa bits of tf32, in 32 bits. PTX 9.7.9.21. */
    record ToTf32(Tf32Rounding rounding, Options options, Reg<?> d, Operand<?> a) implements Conversion {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(a, ScalarType.F32);
        }
    }

    private static void requireEight(Element type) {
        Check.that(type.isEight(), "cvt: a pair of 8-bit floats is e4m3 or e5m2", type);
    }

    /** {@code cvt.rn.satfinite.e4m3x2.f32 d, high, low}: 16 bits; the first source goes high. */
    record ToFp8(Element to, boolean relu, Reg<?> d, Operand<?> high, Operand<?> low) implements Conversion {
        public ToFp8 {
            requireEight(to);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B16);
            visitor.read(high, ScalarType.F32);
            visitor.read(low, ScalarType.F32);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(7, 8);
        }
    }

    /** {@code cvt.rn.satfinite.e4m3x2.f16x2 d, a}: half by half. */
    record HalvesToFp8(Element to, boolean relu, Reg<?> d, Operand<?> a) implements Conversion {
        public HalvesToFp8 {
            requireEight(to);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B16);
            visitor.read(a, ScalarType.B32);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(7, 8);
        }
    }

    /** {@code cvt.rn.f16x2.e4m3x2 d, a}: half by half, exact but for relu. */
    record Fp8ToHalves(Element from, boolean relu, Reg<?> d, Operand<?> a) implements Conversion {
        public Fp8ToHalves {
            requireEight(from);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(a, ScalarType.B16);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(7, 8);
        }
    }

    /** {@code mov d, symbol+offset}: an address of a variable in its own space. 32 or 64 bits. */
    record AddressWithin(ScalarType type, Reg<?> d, String symbol, StateSpace space, int offset) implements Conversion {
        public AddressWithin {
            Check.that(type == ScalarType.U32 || type == ScalarType.U64, "mov: an address is u32 or u64", type);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.symbol(symbol, space);
        }
    }

    /** {@code cvta.space.u64 d, symbol+offset}: the generic address of a variable. */
    record GenericAddressOf(Reg<?> d, String symbol, StateSpace space, int offset) implements Conversion {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U64);
            visitor.symbol(symbol, space);
        }
    }

    /** {@code isspacep.space d, a}: whether a generic address lies in the space. PTX 9.7.9.19. */
    record IsInSpace(StateSpace space, Reg<Pred> d, Operand<?> a) implements Conversion {
        public IsInSpace {
            Check.that(space != StateSpace.GENERIC, "isspacep: needs a state space", space);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.read(a, ScalarType.U64);
        }
    }

    private static ScalarType half(ScalarType type) {
        return type == ScalarType.F16 || type == ScalarType.BF16 ? ScalarType.B16 : type;
    }
}
