package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import java.util.EnumSet;

/** Arithmetic and logic. Executed by each thread; the result is there for the next instruction. PTX 9.7.1 to 9.7.8. */
public sealed interface Arithmetic extends Computation {

    /** Two-operand integer and bitwise operations, in the mnemonic's own spelling. */
    enum IntegerOperation {
        ADD("add"),
        SUB("sub"),
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

        public String ptx() {
            return ptx;
        }

        boolean bitwise() {
            return this == AND || this == OR || this == XOR || this == SHL;
        }

        boolean shift() {
            return this == SHL || this == SHR;
        }
    }

    /**
     * {@code d = a op b}. Type u16, u32, u64, s16, s32 or s64; bits for and, or, xor, shl. The second operand of a
     * shift is a u32 count of bits; counts above the size give 0 (or the sign). Dividing by zero gives an unspecified
     * value. PTX 9.7.1, 9.7.8.
     */
    record Binary(IntegerOperation operation, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b)
            implements Arithmetic {
        public Binary {
            boolean legal =
                    type.bits() >= 16 && type.bits() <= 64 && (operation.bitwise() ? type.isBits() : type.isInteger());
            Check.that(legal, operation.ptx() + ": type not allowed", "." + type.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, operation.shift() ? ScalarType.U32 : type);
        }
    }

    /** {@code d = a * b} with d of twice the size. Type u16, u32, s16 or s32. PTX 9.7.1.3. */
    record MultiplyWide(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b) implements Arithmetic {
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
            visitor.read(a, type);
            visitor.read(b, type);
        }
    }

    /** Which half of the product {@code mad} adds to. */
    enum Half {
        LO("lo"),
        HI("hi"),
        WIDE("wide");

        private final String ptx;

        Half(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code d = a * b + c} on integers; with WIDE, c and d have twice the size. PTX 9.7.1.4. */
    record MultiplyAdd(Half half, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements Arithmetic {
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
            visitor.read(a, type);
            visitor.read(b, type);
            visitor.read(c, result());
        }
    }

    /** One-operand integer and bitwise operations. */
    enum IntegerUnaryOperation {
        NEG("neg"),
        ABS("abs"),
        NOT("not"),
        CNOT("cnot"),
        POPC("popc"),
        CLZ("clz"),
        BREV("brev");

        private final String ptx;

        IntegerUnaryOperation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code d = op a}: neg and abs of signed integers, the others of bits. popc and clz give a u32. PTX 9.7.1. */
    record Unary(IntegerUnaryOperation operation, ScalarType type, Reg<?> d, Operand<?> a) implements Arithmetic {
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

    /** Two-operand floating-point operations. */
    enum FloatOperation {
        ADD("add"),
        SUB("sub"),
        MUL("mul"),
        DIV("div"),
        MIN("min"),
        MAX("max");

        private final String ptx;

        FloatOperation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /**
     * {@code d = a op b} in f32 or f64. add, sub, mul: rn, rz, rm, rp or none (none lets the assembler fuse them into
     * fma); div: rn or approx; min, max: no rounding. PTX 9.7.3.
     */
    record FloatBinary(
            FloatOperation operation, Rounding rounding, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b)
            implements Arithmetic {
        private static final EnumSet<Rounding> IEEE = EnumSet.of(Rounding.RN, Rounding.RZ, Rounding.RM, Rounding.RP);

        public FloatBinary {
            requireFloat(operation.ptx(), type);
            boolean legal = switch (operation) {
                case ADD, SUB, MUL -> rounding == Rounding.NONE || IEEE.contains(rounding);
                case DIV -> IEEE.contains(rounding) || (rounding == Rounding.APPROX && type == ScalarType.F32);
                case MIN, MAX -> rounding == Rounding.NONE;
            };
            Check.that(legal, operation.ptx() + "." + type.ptx() + ": rounding not allowed", rounding);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, type);
        }
    }

    /** {@code d = a * b + c} rounded once. Type f32 or f64, rounding rn, rz, rm or rp. PTX 9.7.3.6. */
    record Fma(Rounding rounding, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements Arithmetic {
        public Fma {
            requireFloat("fma", type);
            Check.that(FloatBinary.IEEE.contains(rounding), "fma: rounding must be rn, rz, rm or rp", rounding);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, type);
            visitor.read(c, type);
        }
    }

    /** One-operand floating-point operations, with their rounding in the name where there is a choice. */
    enum FloatUnaryOperation {
        NEG("neg"),
        ABS("abs"),
        SQRT_RN("sqrt.rn"),
        SQRT_APPROX("sqrt.approx"),
        RSQRT_APPROX("rsqrt.approx"),
        RCP_RN("rcp.rn"),
        RCP_APPROX("rcp.approx"),
        /** Base-2 logarithm. */
        LG2_APPROX("lg2.approx"),
        /** 2 to the power of a. */
        EX2_APPROX("ex2.approx"),
        SIN_APPROX("sin.approx"),
        COS_APPROX("cos.approx");

        private final String ptx;

        FloatUnaryOperation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code d = op a}; the approximations in f32 only. PTX 9.7.3. */
    record FloatUnary(FloatUnaryOperation operation, ScalarType type, Reg<?> d, Operand<?> a) implements Arithmetic {
        public FloatUnary {
            requireFloat(operation.ptx(), type);
            Check.that(
                    type == ScalarType.F32 || !operation.ptx().endsWith(".approx"),
                    operation.ptx() + ": type must be f32",
                    "." + type.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
        }
    }

    /** Any bitwise function of three inputs: bit i of d = table[a_i*4 + b_i*2 + c_i]. Table 0..255. PTX 9.7.8.6. */
    record Lop3(Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c, int table) implements Arithmetic {
        public Lop3 {
            Check.range("lop3: table", table, 0, 255);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(a, ScalarType.B32);
            visitor.read(b, ScalarType.B32);
            visitor.read(c, ScalarType.B32);
        }
    }

    /** Picks four of the eight bytes {b,a} by the nibbles of the selector. PTX 9.7.9.7. */
    record Permute(Reg<B32> d, Operand<?> a, Operand<?> b, Operand<?> selector) implements Arithmetic {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B32);
            visitor.read(a, ScalarType.B32);
            visitor.read(b, ScalarType.B32);
            visitor.read(selector, ScalarType.B32);
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

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(position, ScalarType.U32);
            visitor.read(length, ScalarType.U32);
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

    private static void requireFloat(String mnemonic, ScalarType type) {
        Check.that(
                type == ScalarType.F32 || type == ScalarType.F64,
                mnemonic + ": type must be f32 or f64",
                "." + type.ptx());
    }
}
