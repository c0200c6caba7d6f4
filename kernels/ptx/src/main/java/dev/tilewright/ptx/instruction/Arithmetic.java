package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;

/** Arithmetic and logic. Executed by each thread; the result is there for the next instruction. PTX 9.7.1 to 9.7.8. */
public sealed interface Arithmetic extends Computation {

    /** Two-operand integer and bitwise operations, in the mnemonic's own spelling. */
    enum IntegerOperation implements Spelled {
        ADD("add"),
        /** Clamped to the range of s32. */
        ADD_SATURATED("add.sat"),
        SUB("sub"),
        /** Clamped to the range of s32. */
        SUB_SATURATED("sub.sat"),
        MUL_LO("mul.lo"),
        MUL_HI("mul.hi"),
        DIV("div"),
        REM("rem"),
        MIN("min"),
        MAX("max"),
        AND("and"),
        OR("or"),
        XOR("xor"),
        SHL("shl"),
        SHR("shr");

        private final String ptx;

        IntegerOperation(String ptx) {
            this.ptx = ptx;
        }

        @Override
        public String ptx() {
            return ptx;
        }

        private boolean allows(ScalarType type) {
            return switch (this) {
                case ADD_SATURATED, SUB_SATURATED -> type == ScalarType.S32;
                case AND, OR, XOR, SHL -> type.isBits();
                case ADD, SUB, MUL_LO, MUL_HI, DIV, REM, MIN, MAX, SHR -> type.isInteger();
            };
        }

        boolean shift() {
            return this == SHL || this == SHR;
        }
    }

    /**
     * {@code d = a op b}. Type u16, u32, u64, s16, s32 or s64; bits for and, or, xor, shl; s32 for saturated sums. The
     * second operand of a shift is a u32 count of bits; counts above the size give 0 (or the sign). Dividing by zero
     * gives an unspecified value. PTX 9.7.1, 9.7.8.
     */
    record Binary(IntegerOperation operation, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b)
            implements Arithmetic, Irregular {
        public Binary {
            Check.that(
                    type.bits() >= 16 && type.bits() <= 64 && operation.allows(type),
                    operation.ptx() + ": type not allowed",
                    "." + type.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, operation.shift() ? ScalarType.U32 : type);
        }
    }

    /** {@code d = a * b} with d of twice the size. Type u16, u32, s16 or s32. PTX 9.7.1.3. */
    record MultiplyWide(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b) implements Arithmetic, Irregular {
        public MultiplyWide {
            Check.that(
                    type.isInteger() && type.bits() >= 16 && type.bits() <= 32,
                    "mul.wide: type must be u16, u32, s16 or s32",
                    "." + type.ptx());
        }

        /** Type of the result. */
        public ScalarType wide() {
            return widened(type);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, wide());
            visitor.reads(type, a, b);
        }
    }

    /** The half of the product that {@code mad} adds to. */
    enum Half implements Spelled {
        LO,
        HI,
        WIDE
    }

    /** {@code d = a * b + c} on integers; with WIDE, c and d have twice the size. PTX 9.7.1.4. */
    record MultiplyAdd(Half half, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements Arithmetic, Irregular {
        public MultiplyAdd {
            Check.that(
                    type.isInteger() && type.bits() >= 16 && type.bits() <= (half == Half.WIDE ? 32 : 64),
                    "mad." + half.ptx() + ": type not allowed",
                    "." + type.ptx());
        }

        /** Type of addend and result. */
        public ScalarType result() {
            return half == Half.WIDE ? widened(type) : type;
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, result());
            visitor.reads(type, a, b);
            visitor.read(c, result());
        }
    }

    /** One-operand integer and bitwise operations. */
    enum IntegerUnaryOperation implements Spelled {
        NEG,
        ABS,
        NOT,
        CNOT,
        POPC,
        CLZ,
        BREV
    }

    /** {@code d = op a}: neg and abs of signed integers, the others of bits. popc and clz give a u32. PTX 9.7.1. */
    record Unary(IntegerUnaryOperation operation, ScalarType type, Reg<?> d, Operand<?> a)
            implements Arithmetic, Irregular {
        public Unary {
            boolean signed = operation == IntegerUnaryOperation.NEG || operation == IntegerUnaryOperation.ABS;
            Check.that(
                    signed ? type.isSigned() : type.isBits() && type.bits() <= 64,
                    operation.ptx() + ": type not allowed",
                    "." + type.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            boolean counts = operation == IntegerUnaryOperation.POPC || operation == IntegerUnaryOperation.CLZ;
            visitor.write(d, counts ? ScalarType.U32 : type);
            visitor.read(a, type);
        }
    }

    /** Any bitwise function of three inputs: bit i of d = table[a_i*4 + b_i*2 + c_i]. Table 0..255. PTX 9.7.8.6. */
    record Lop3(Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c, int table) implements Arithmetic {
        public Lop3 {
            Check.range("lop3: table", table, 0, 255);
        }
    }

    /**
     * {@code d} = {@code length} bits of a from bit {@code position}, extended. Type u32, u64, s32, s64. PTX 9.7.1.19.
     */
    record BitFieldExtract(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> position, Operand<?> length)
            implements Arithmetic {
        public BitFieldExtract {
            Check.that(
                    type.isInteger() && type.bits() >= 32, "bfe: type must be u32, u64, s32 or s64", "." + type.ptx());
            Check.range("bfe: position", position, 0, 255);
            Check.range("bfe: length", length, 0, 255);
        }
    }

    private static ScalarType widened(ScalarType type) {
        return switch (type) {
            case U16 -> ScalarType.U32;
            case S16 -> ScalarType.S32;
            case U32 -> ScalarType.U64;
            case S32 -> ScalarType.S64;
            default -> throw new IllegalArgumentException("wide: no type twice as wide as ." + type.ptx());
        };
    }
}
