package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;
import java.util.Optional;

/** Bits and bytes of integers. Executed by each thread. PTX 9.7.1, 9.7.8, 9.7.9. */
public sealed interface BitField extends Computation {

    /** {@code d = b} with {@code length} bits from bit {@code position} replaced by the low bits of a. b32 or b64. */
    record Insert(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> position, Operand<?> length)
            implements BitField {
        public Insert {
            Check.that(type.isBits() && (type.bits() == 32 || type.bits() == 64), "bfi: type must be b32 or b64", type);
        }
    }

    /**
     * {@code shf}: shifts the 64 bits {b,a} and gives the upper half (left) or the lower half (right). The count is
     * clamped to 32, or with {@code wrap} taken modulo 32.
     */
    record FunnelShift(boolean left, boolean wrap, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> count)
            implements BitField {}

    /**
     * {@code bfind}: the position of the highest bit that is not the sign, or with {@code shift} how far left it would
     * have to move to the top; 0xffffffff if there is none. u32, u64, s32 or s64; d is a u32.
     */
    record FindHighest(boolean shift, ScalarType type, Reg<?> d, Operand<?> a) implements BitField {
        public FindHighest {
            Check.that(type.isInteger() && type.bits() >= 32, "bfind: type must be u32, u64, s32 or s64", type);
        }
    }

    /** {@code bmsk}: {@code length} ones from bit {@code position} on; clamped, or modulo 32 with {@code wrap}. */
    record Mask(boolean wrap, Reg<?> d, Operand<?> position, Operand<?> length) implements BitField {}

    /** The modes of {@code prmt} that take their selector modulo 4. */
    enum PermuteMode implements Spelled {
        /** Four bytes forward from the selected. */
        F4E,
        /** Four bytes backward. */
        B4E,
        /** One byte four times. */
        RC8,
        /** Clamped to the left. */
        ECL,
        /** Clamped to the right. */
        ECR,
        /** One half twice. */
        RC16
    }

    /** Picks four of the eight bytes {b,a}: by a mode, or by the nibbles of the selector. PTX 9.7.9.7. */
    record Permute(Optional<PermuteMode> mode, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> selector)
            implements BitField {}

    /** {@code sad}: {@code d = c + |a - b|}. 16 to 64 bit integers. PTX 9.7.1.7. */
    record AbsoluteDifference(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c) implements BitField {
        public AbsoluteDifference {
            Check.that(type.isInteger() && type.bits() >= 16, "sad: type not allowed", type);
        }
    }

    /** Operations on two integers of 16 bits in 32. */
    enum PairOperation implements Spelled {
        ADD,
        MIN,
        MAX
    }

    /** {@code d = a op b} half by half, {@code .u16x2} or {@code .s16x2}; {@code relu}: negative results become 0. */
    record PairBinary(PairOperation operation, boolean signed, boolean relu, Reg<?> d, Operand<?> a, Operand<?> b)
            implements BitField {
        public PairBinary {
            Check.that(
                    !relu || (signed && operation != PairOperation.ADD),
                    operation.ptx() + ": relu goes with min and max of s16x2",
                    "relu");
        }

        @Override
        public Requirement requires() {
            return new Requirement(IsaVersion.V8_0, 90, Requirement.Kind.FROM_HERE);
        }
    }

    /** {@code dp4a}: {@code d = c +} the sum of the four products of bytes; each side u32 or s32. PTX 9.7.1.23. */
    record DotProduct(ScalarType typeA, ScalarType typeB, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements BitField {
        public DotProduct {
            Check.that(typeA.isInteger() && typeA.bits() == 32, "dp4a: type must be u32 or s32", typeA);
            Check.that(typeB.isInteger() && typeB.bits() == 32, "dp4a: type must be u32 or s32", typeB);
        }
    }
}
