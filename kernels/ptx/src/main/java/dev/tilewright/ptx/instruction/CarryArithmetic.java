package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;

/** Integers of many words by the thread's carry flag. PTX 9.7.2. */
public sealed interface CarryArithmetic extends Computation {

    /**
     * {@code d = a + b [+ carry]} or {@code a - b [- borrow]}; {@code carryOut} sets the flag. u32, s32, u64 or s64.
     */
    record Add(
            boolean subtract, boolean carryIn, boolean carryOut, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b)
            implements CarryArithmetic {
        public Add {
            requireType("add.cc", type);
            Check.that(carryIn || carryOut, "add.cc: needs a carry in or out", "none");
        }
    }

    /** {@code d = half of (a * b) + c [+ carry]}; half lo or hi. */
    record MultiplyAdd(
            Half half,
            boolean carryIn,
            boolean carryOut,
            ScalarType type,
            Reg<?> d,
            Operand<?> a,
            Operand<?> b,
            Operand<?> c)
            implements CarryArithmetic {
        public MultiplyAdd {
            requireType("mad.cc", type);
            Check.that(half != Half.WIDE, "mad.cc: half must be lo or hi", half);
            Check.that(carryIn || carryOut, "mad.cc: needs a carry in or out", "none");
        }
    }

    private static void requireType(String mnemonic, ScalarType type) {
        Check.that(type.isInteger() && type.bits() >= 32, mnemonic + ": type must have 32 or 64 bits", type);
    }
}
