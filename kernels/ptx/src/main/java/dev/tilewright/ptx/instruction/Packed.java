package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Arithmetic.FloatOperation;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;

/** Several values in one register. PTX 9.7.3, 9.7.9.22. */
public sealed interface Packed extends Computation {
    /** f32x2 lives in 64 bits, the first value lowest. sm_100. */
    Requirement PAIRS = new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.FROM_HERE);

    /** {@code add}, {@code sub} and {@code mul} of two f32 at once. */
    record PairBinary(
            FloatOperation operation, Rounding rounding, boolean flushToZero, Reg<?> d, Operand<?> a, Operand<?> b)
            implements Packed {
        public PairBinary {
            Check.that(
                    EnumSet.of(FloatOperation.ADD, FloatOperation.SUB, FloatOperation.MUL)
                            .contains(operation),
                    operation.ptx() + ": type not allowed",
                    ".f32x2");
            requireRounding(operation.ptx(), rounding, true);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B64);
            visitor.read(a, ScalarType.B64);
            visitor.read(b, ScalarType.B64);
        }

        @Override
        public Requirement requires() {
            return PAIRS;
        }
    }

    /** {@code fma} of two f32 at once. */
    record PairFma(Rounding rounding, boolean flushToZero, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements Packed {
        public PairFma {
            requireRounding("fma", rounding, false);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B64);
            visitor.read(a, ScalarType.B64);
            visitor.read(b, ScalarType.B64);
            visitor.read(c, ScalarType.B64);
        }

        @Override
        public Requirement requires() {
            return PAIRS;
        }
    }

    /** Integers that {@link SaturateAndPack} makes. */
    enum Narrow {
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

        public String ptx() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * {@code cvt.pack.sat}: the s32 a and b saturated to the narrow type, b in the lowest bits of d, a above it, and
     * above them the low bits of c, which the types below 16 bits have.
     */
    record SaturateAndPack(Narrow to, Reg<?> d, Operand<?> a, Operand<?> b, Optional<Operand<?>> c) implements Packed {
        public SaturateAndPack {
            Check.that(
                    c.isPresent() == to.bits() < 16,
                    "cvt.pack." + to.ptx() + ": a third operand goes with types below 16 bits",
                    c.isPresent() ? "one" : "none");
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(a, ScalarType.S32);
            visitor.read(b, ScalarType.S32);
            c.ifPresent(rest -> visitor.read(rest, ScalarType.B32));
        }
    }

    private static void requireRounding(String mnemonic, Rounding rounding, boolean optional) {
        boolean none = optional && rounding == Rounding.NONE;
        Check.that(
                none || (rounding.compareTo(Rounding.RN) >= 0 && rounding.compareTo(Rounding.RP) <= 0),
                mnemonic + ".f32x2: rounding not allowed",
                rounding);
    }
}
