package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerUnaryOperation;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FloatMath.Operation;
import dev.tilewright.ptx.instruction.FloatMath.Options;
import dev.tilewright.ptx.instruction.FloatMath.UnaryOperation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Map;

/** {@link Arithmetic} and {@link FloatMath}, and by its modifiers {@link CarryArithmetic}. */
final class ArithmeticParser {
    private static final Map<String, IntegerOperation> INTEGER =
            Spellings.of(IntegerOperation.values(), IntegerOperation::ptx);
    private static final Map<String, Operation> FLOAT = Spellings.of(Operation.values(), Operation::ptx);
    private static final Map<String, IntegerUnaryOperation> INTEGER_UNARY =
            Spellings.of(IntegerUnaryOperation.values(), IntegerUnaryOperation::ptx);
    private static final Map<String, UnaryOperation> FLOAT_UNARY =
            Spellings.of(UnaryOperation.values(), UnaryOperation::ptx);
    private static final Map<String, Half> HALVES = Spellings.of(Half.values(), Half::ptx);

    private ArithmeticParser() {}

    static Instruction binary(Line in) {
        if (in.sees("s16x2") || in.sees("u16x2")) {
            return FormParser.read(in, Forms.of(BitField.PairBinary.class));
        }
        ScalarType type = type(in);
        if (type == ScalarType.PRED) {
            throw in.refuse("has no type .pred");
        }
        if (type.isFloat()) {
            Operation operation = FLOAT.get(in.opcode());
            if (operation == null) {
                throw in.refuse("has no type ." + type.ptx());
            }
            return floats(in, operation, type);
        }
        IntegerOperation operation = INTEGER.get(in.opcode());
        if (operation == null) {
            throw in.refuse("has no type ." + type.ptx());
        }
        if (operation == IntegerOperation.ADD || operation == IntegerOperation.SUB) {
            boolean subtract = operation == IntegerOperation.SUB;
            if (type == ScalarType.S32 && in.has("sat")) {
                return new CarryArithmetic.Saturated(subtract, in.register(), in.value(type), in.value(type));
            }
            if (in.has("cc")) {
                return new CarryArithmetic.Add(
                        subtract, false, true, type, in.register(), in.value(type), in.value(type));
            }
        }
        boolean shift = operation == IntegerOperation.SHL || operation == IntegerOperation.SHR;
        // Bits are shifted as an unsigned number is.
        boolean bits = operation == IntegerOperation.SHR && type.isBits() && type.bits() >= 16 && type.bits() <= 64;
        return new Arithmetic.Binary(
                operation,
                bits ? type.unsigned() : type,
                in.register(),
                in.value(type),
                in.value(shift ? ScalarType.B32 : type));
    }

    private static ScalarType type(Line in) {
        return in.has("f32x2") ? ScalarType.F32X2 : in.type();
    }

    private static Instruction floats(Line in, Operation operation, ScalarType type) {
        Rounding rounding = in.rounding();
        Options options = options(in);
        Reg<RegisterType> d = in.register();
        Operand<RegisterType> a = in.value(type);
        Operand<RegisterType> b = in.value(type);
        boolean extreme = operation == Operation.MIN || operation == Operation.MAX;
        if (extreme && type == ScalarType.F32 && in.more()) {
            throw in.unsupported("the " + in.opcode() + " of three values is not supported");
        }
        return new FloatMath.Binary(operation, rounding, options, type, d, a, b);
    }

    private static Options options(Line in) {
        boolean flush = in.has("ftz");
        boolean saturate = in.has("sat");
        boolean nan = in.has("NaN");
        boolean sign = in.has("xorsign");
        if (sign) {
            in.require("abs");
        }
        return new Options(flush, saturate, nan, sign, in.has("relu"));
    }

    /** addc and subc. */
    static Instruction carried(Line in) {
        boolean out = in.has("cc");
        ScalarType type = in.type();
        return new CarryArithmetic.Add(
                in.opcode().equals("subc"), true, out, type, in.register(), in.value(type), in.value(type));
    }

    static Instruction multiply(Line in) {
        if (in.maybe(HALVES).orElse(null) instanceof Half half) {
            ScalarType type = in.type();
            return switch (half) {
                case WIDE -> new Arithmetic.MultiplyWide(type, in.register(), in.value(type), in.value(type));
                case LO, HI ->
                    new Arithmetic.Binary(
                            half == Half.LO ? IntegerOperation.MUL_LO : IntegerOperation.MUL_HI,
                            type,
                            in.register(),
                            in.value(type),
                            in.value(type));
            };
        }
        return binary(in);
    }

    /** mad and madc. */
    static Instruction multiplyAdd(Line in) {
        if (in.maybe(HALVES).orElse(null) instanceof Half half) {
            ScalarType type = in.type();
            boolean carryIn = in.opcode().equals("madc");
            boolean carryOut = in.has("cc");
            if (carryIn || carryOut) {
                return new CarryArithmetic.MultiplyAdd(
                        half, carryIn, carryOut, type, in.register(), in.value(type), in.value(type), in.value(type));
            }
            ScalarType addend = half == Half.WIDE && type.bits() < 64 ? wide(type) : type;
            return new Arithmetic.MultiplyAdd(
                    half, type, in.register(), in.value(type), in.value(type), in.value(addend));
        }
        // mad of floats is fma under its old name.
        return fma(in);
    }

    private static ScalarType wide(ScalarType type) {
        return type.bits() == 16 ? ScalarType.B32 : ScalarType.B64;
    }

    static Instruction fma(Line in) {
        ScalarType type = type(in);
        Rounding rounding = in.rounding();
        Options options = options(in);
        return new FloatMath.Fma(
                rounding, options, type, in.register(), in.value(type), in.value(type), in.value(type));
    }

    static Instruction unary(Line in) {
        ScalarType type = in.type();
        if (type == ScalarType.PRED) {
            throw in.refuse("has no type .pred");
        }
        if (type.isFloat()) {
            UnaryOperation operation = FLOAT_UNARY.get(in.opcode());
            if (operation == null) {
                throw in.refuse("has no type ." + type.ptx());
            }
            Rounding rounding = in.rounding();
            boolean flush = in.has("ftz");
            return new FloatMath.Unary(operation, rounding, flush, type, in.register(), in.value(type));
        }
        IntegerUnaryOperation whole = INTEGER_UNARY.get(in.opcode());
        if (whole == null) {
            throw in.refuse("has no type ." + type.ptx());
        }
        return new Arithmetic.Unary(whole, type, in.register(), in.value(type));
    }
}
