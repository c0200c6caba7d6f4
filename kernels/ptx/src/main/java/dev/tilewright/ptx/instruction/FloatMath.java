package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;

/**
 * Floating point: f32, f64, half precision (f16, bf16) and pairs (f16x2, bf16x2, f32x2), the first value lowest.
 * Executed by each thread. PTX 9.7.3, 9.7.4.
 */
public sealed interface FloatMath extends Computation {
    ScalarType type();

    @Override
    default Requirement requires() {
        return requirement(type());
    }

    /**
     * The modifiers of the operation.
     *
     * @param flushToZero subnormal inputs and results become zero of the same sign
     * @param nan min and max give NaN if an input is NaN
     * @param signOfProduct min and max of magnitudes, with the sign of the product ({@code .xorsign.abs})
     * @param saturate the result is clamped to 0..1, NaN becomes 0
     * @param relu fma: negative results become 0
     */
    record Options(boolean flushToZero, boolean nan, boolean signOfProduct, boolean saturate, boolean relu) {
        public static final Options NONE = new Options(false, false, false, false, false);
        public static final Options FLUSH = new Options(true, false, false, false, false);
        public static final Options KEEP_NAN = new Options(false, true, false, false, false);

        /** In the order in which PTX writes them. */
        public String ptx() {
            return (flushToZero ? ".ftz" : "")
                    + (nan ? ".NaN" : "")
                    + (signOfProduct ? ".xorsign.abs" : "")
                    + (saturate ? ".sat" : "")
                    + (relu ? ".relu" : "");
        }
    }

    /** Two-operand operations. */
    enum Operation implements Spelled {
        ADD,
        SUB,
        MUL,
        DIV,
        MIN,
        MAX
    }

    /**
     * {@code d = a op b}, for pairs in each half. add, sub and mul of f32, f64 and f32x2: rn, rz, rm, rp or none (none
     * lets the assembler fuse them into fma), of f16 and bf16 rn or none; div of f32 and f64: rn, rz, rm or rp, of f32
     * approx or full too; min and max round nothing.
     */
    record Binary(
            Operation operation,
            Rounding rounding,
            Options options,
            ScalarType type,
            Reg<?> d,
            Operand<?> a,
            Operand<?> b)
            implements FloatMath {
        public Binary {
            String mnemonic = operation.ptx();
            requireFloat(mnemonic, type);
            boolean extreme = operation == Operation.MIN || operation == Operation.MAX;
            Check.that(
                    switch (operation) {
                        case ADD, SUB, MUL -> true;
                        case DIV -> scalar(type);
                        case MIN, MAX -> type != ScalarType.F32X2;
                    },
                    mnemonic + ": type not allowed",
                    "." + type.ptx());
            Check.that(
                    extreme || !(options.nan() || options.signOfProduct()),
                    mnemonic + ": NaN and xorsign go with min and max",
                    options.ptx());
            Check.that(!options.relu(), mnemonic + ": relu goes with fma", options.ptx());
            Check.that(
                    !extreme || (rounding == Rounding.NONE && !options.saturate()),
                    mnemonic + ": rounds and saturates nothing",
                    rounding + " " + options.ptx());
            Check.that(operation != Operation.DIV || !options.saturate(), "div: saturates nothing", options.ptx());
            boolean gross = rounding == Rounding.APPROX || rounding == Rounding.FULL;
            Check.that(
                    switch (operation) {
                        case ADD, SUB, MUL -> rounding == Rounding.NONE || rounds(rounding, type);
                        case DIV -> rounds(rounding, type) || (gross && type == ScalarType.F32);
                        case MIN, MAX -> true;
                    },
                    mnemonic + "." + type.ptx() + ": rounding not allowed",
                    rounding);
            requireOptions(mnemonic, options, type);
        }
    }

    /** {@code d = a * b + c} rounded once: rn, rz, rm or rp, of f16 and bf16 rn alone. PTX 9.7.3.6. */
    record Fma(Rounding rounding, Options options, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c)
            implements FloatMath {
        public Fma {
            requireFloat("fma", type);
            Check.that(rounds(rounding, type), "fma." + type.ptx() + ": rounding not allowed", rounding);
            Check.that(!options.nan() && !options.signOfProduct(), "fma: takes ftz, sat and relu alone", options.ptx());
            requireOptions("fma", options, type);
        }
    }

    /** One-operand operations; the rounding is apart. */
    enum UnaryOperation implements Spelled {
        NEG,
        ABS,
        SQRT,
        RSQRT,
        RCP,
        /** Base-2 logarithm. */
        LG2,
        /** 2 to the power of a. */
        EX2,
        SIN,
        COS,
        TANH
    }

    /**
     * {@code d = op a}, for pairs in each half. neg and abs have no rounding, sqrt and rcp of f32 and f64 rn, rz, rm or
     * rp. The approximations have approx: all of f32, rsqrt and (with ftz) rcp of f64, ex2 and tanh of f16 and bf16.
     */
    record Unary(
            UnaryOperation operation, Rounding rounding, boolean flushToZero, ScalarType type, Reg<?> d, Operand<?> a)
            implements FloatMath {
        public Unary {
            String mnemonic = operation.ptx();
            requireFloat(mnemonic, type);
            boolean exact = operation == UnaryOperation.NEG || operation == UnaryOperation.ABS;
            boolean root = operation == UnaryOperation.SQRT || operation == UnaryOperation.RCP;
            boolean approximate = rounding == Rounding.APPROX;
            Check.that(
                    exact ? rounding == Rounding.NONE : approximate || (root && rounds(rounding, ScalarType.F32)),
                    mnemonic + ": rounding not allowed",
                    rounding);
            boolean halves = exact || operation == UnaryOperation.EX2 || operation == UnaryOperation.TANH;
            boolean wide = operation == UnaryOperation.RSQRT || (operation == UnaryOperation.RCP && flushToZero);
            Check.that(
                    type == ScalarType.F64
                            ? approximate ? wide : !flushToZero || operation == UnaryOperation.RCP
                            : type == ScalarType.F32 || (halves && type != ScalarType.F32X2),
                    mnemonic + rounding.ptx() + (flushToZero ? ".ftz" : "") + ": type not allowed",
                    "." + type.ptx());
        }
    }

    /** {@code copysign}: b with the sign of a. f32 or f64. */
    record CopySign(ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b) implements FloatMath {
        public CopySign {
            Check.that(type == ScalarType.F32 || type == ScalarType.F64, "copysign: type must be f32 or f64", type);
        }
    }

    /** The property that {@link Test} tests. */
    enum Property implements Spelled {
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

        @Override
        public String ptx() {
            return ptx;
        }
    }

    /** {@code testp}: whether a has the property. f32 or f64. */
    record Test(Property property, ScalarType type, Reg<Pred> d, Operand<?> a) implements FloatMath {
        public Test {
            Check.that(type == ScalarType.F32 || type == ScalarType.F64, "testp: type must be f32 or f64", type);
        }
    }

    private static void requireFloat(String mnemonic, ScalarType type) {
        Check.that(type.isFloat(), mnemonic + ": type must be a float", "." + type.ptx());
    }

    private static void requireOptions(String mnemonic, Options options, ScalarType type) {
        boolean none = options.equals(Options.NONE);
        boolean flush = options.equals(Options.FLUSH);
        Check.that(
                type == ScalarType.F64 ? none : type != ScalarType.F32X2 || none || flush,
                mnemonic + "." + type.ptx() + ": modifier not allowed",
                options.ptx());
    }

    private static boolean rounds(Rounding rounding, ScalarType type) {
        return rounding == Rounding.RN || (rounding.ieee() && (scalar(type) || type == ScalarType.F32X2));
    }

    private static boolean scalar(ScalarType type) {
        return type == ScalarType.F32 || type == ScalarType.F64;
    }

    private static Requirement requirement(ScalarType type) {
        if (type == ScalarType.F32X2) {
            return new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.FROM_HERE);
        }
        boolean bf16 = type == ScalarType.BF16 || type == ScalarType.BF16X2;
        return bf16 ? new Requirement(Requirement.BASE.since(), 90, Requirement.Kind.FROM_HERE) : Requirement.BASE;
    }
}
