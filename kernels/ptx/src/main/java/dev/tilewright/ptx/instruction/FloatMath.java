package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Arithmetic.FloatOperation;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/**
 * Floating point with options, and of half precision (f16, bf16 and their pairs). Executed by each thread. PTX 9.7.3,
 * 9.7.4.
 */
public sealed interface FloatMath extends Ordinary, Computation {
    /**
     * What is done beside the operation.
     *
     * @param flushToZero subnormal inputs and results become zero of the same sign
     * @param saturate the result is clamped to 0..1, NaN becomes 0
     * @param nan min and max give NaN if an input is NaN
     * @param signOfProduct min and max of magnitudes, with the sign of the product ({@code .xorsign.abs})
     * @param relu fma: negative results become 0
     */
    record Options(boolean flushToZero, boolean saturate, boolean nan, boolean signOfProduct, boolean relu) {
        public static final Options NONE = new Options(false, false, false, false, false);
        public static final Options FLUSH = new Options(true, false, false, false, false);

        /** In the order in which PTX writes them. */
        public String ptx() {
            return (flushToZero ? ".ftz" : "")
                    + (nan ? ".NaN" : "")
                    + (signOfProduct ? ".xorsign.abs" : "")
                    + (saturate ? ".sat" : "")
                    + (relu ? ".relu" : "");
        }
    }

    /** {@code d = a op b}, for pairs in each half. Types f16, f16x2, bf16, bf16x2, f32, f64. */
    record Binary(
            FloatOperation operation,
            Rounding rounding,
            Options options,
            ScalarType type,
            Reg<?> d,
            Operand<?> a,
            Operand<?> b)
            implements FloatMath {
        public Binary {
            requireFloat(operation.ptx(), type);
            boolean extreme = operation == FloatOperation.MIN || operation == FloatOperation.MAX;
            Check.that(
                    extreme || !(options.nan() || options.signOfProduct()),
                    operation.ptx() + ": NaN and xorsign go with min and max",
                    options.ptx());
            Check.that(!options.relu(), operation.ptx() + ": relu goes with fma", options.ptx());
            Check.that(
                    !extreme || (rounding == Rounding.NONE && !options.saturate()),
                    operation.ptx() + ": rounds and saturates nothing",
                    rounding + " " + options.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, register(type));
            visitor.read(a, register(type));
            visitor.read(b, register(type));
        }

        @Override
        public Requirement requires() {
            return halves(type);
        }
    }

    /** {@code div.full.f32}: at most 2 ulp wrong over the full range. */
    record DivideFull(boolean flushToZero, Reg<?> d, Operand<?> a, Operand<?> b) implements FloatMath {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.F32);
            visitor.read(a, ScalarType.F32);
            visitor.read(b, ScalarType.F32);
        }
    }

    /** {@code d = a * b + c} rounded once. */
    record Fma(Rounding rounding, Options options, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements FloatMath {
        public Fma {
            requireFloat("fma", type);
            boolean half = type.bits() == 16 || type == ScalarType.F16X2 || type == ScalarType.BF16X2;
            Check.that(
                    half ? rounding == Rounding.RN : rounding != Rounding.NONE && rounding != Rounding.APPROX,
                    "fma." + type.ptx() + ": rounding not allowed",
                    rounding);
            Check.that(!options.nan() && !options.signOfProduct(), "fma: takes ftz, sat and relu alone", options.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, register(type));
            visitor.read(a, register(type));
            visitor.read(b, register(type));
            visitor.read(c, register(type));
        }

        @Override
        public Requirement requires() {
            return halves(type);
        }
    }

    /** One-operand operations; the rounding is apart. */
    enum UnaryOperation {
        NEG("neg"),
        ABS("abs"),
        SQRT("sqrt"),
        RSQRT("rsqrt"),
        RCP("rcp"),
        LG2("lg2"),
        EX2("ex2"),
        SIN("sin"),
        COS("cos"),
        TANH("tanh");

        private final String ptx;

        UnaryOperation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code d = op a}, for pairs in each half. neg and abs have no rounding, the approximations have approx. */
    record Unary(
            UnaryOperation operation, Rounding rounding, boolean flushToZero, ScalarType type, Reg<?> d, Operand<?> a)
            implements FloatMath {
        public Unary {
            requireFloat(operation.ptx(), type);
            boolean exact = operation == UnaryOperation.NEG || operation == UnaryOperation.ABS;
            boolean root = operation == UnaryOperation.SQRT || operation == UnaryOperation.RCP;
            boolean ieee = rounding == Rounding.RN
                    || rounding == Rounding.RZ
                    || rounding == Rounding.RM
                    || rounding == Rounding.RP;
            boolean legal = exact ? rounding == Rounding.NONE : rounding == Rounding.APPROX || (root && ieee);
            Check.that(legal, operation.ptx() + ": rounding not allowed", rounding);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, register(type));
            visitor.read(a, register(type));
        }

        @Override
        public Requirement requires() {
            return halves(type);
        }
    }

    /** {@code copysign}: b with the sign of a. f32 or f64. */
    record CopySign(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b) implements FloatMath {
        public CopySign {
            Check.that(type == ScalarType.F32 || type == ScalarType.F64, "copysign: type must be f32 or f64", type);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
            visitor.read(b, type);
        }
    }

    /** What {@link Test} asks. */
    enum Property {
        FINITE("finite"),
        INFINITE("infinite"),
        NUMBER("number"),
        NOT_A_NUMBER("notanumber"),
        NORMAL("normal"),
        SUBNORMAL("subnormal");

        private final String ptx;

        Property(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code testp}: whether a has the property. f32 or f64. */
    record Test(Property property, ScalarType type, Reg<Pred> d, Operand<?> a) implements FloatMath {
        public Test {
            Check.that(type == ScalarType.F32 || type == ScalarType.F64, "testp: type must be f32 or f64", type);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.read(a, type);
        }
    }

    private static void requireFloat(String mnemonic, ScalarType type) {
        Check.that(type.isFloat(), mnemonic + ": type must be a float", "." + type.ptx());
    }

    /** Half precision lives in registers of bits. */
    private static ScalarType register(ScalarType type) {
        return type == ScalarType.F32 || type == ScalarType.F64 ? type : type.untyped();
    }

    private static Requirement halves(ScalarType type) {
        boolean bf16 = type == ScalarType.BF16 || type == ScalarType.BF16X2;
        return bf16 ? new Requirement(Requirement.BASE.since(), 90, Requirement.Kind.FROM_HERE) : Requirement.BASE;
    }
}
