package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FloatMath.Operation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Map;

/** {@link Arithmetic} and {@link FloatMath}, and by its modifiers {@link CarryArithmetic}. */
final class ArithmeticParser {
    private static final Map<String, IntegerOperation> INTEGER =
            Spellings.of(IntegerOperation.values(), IntegerOperation::ptx);
    private static final Map<String, Operation> FLOAT = Spellings.of(Operation.values(), Operation::ptx);
    private static final Map<String, Half> HALVES = Spellings.of(Half.values(), Half::ptx);

    private ArithmeticParser() {}

    static Instruction binary(Line in) {
        if (in.sees("s16x2") || in.sees("u16x2")) {
            return FormParser.read(in, BitField.PairBinary.class);
        }
        if (isFloat(in)) {
            if (!FLOAT.containsKey(in.opcode())) {
                throw in.refuse("has no type of a float");
            }
            Instruction floats = FormParser.read(in, FloatMath.Binary.class);
            if (in.more()) {
                boolean extreme = in.opcode().equals("min") || in.opcode().equals("max");
                throw extreme && floats instanceof FloatMath.Binary binary && binary.type() == ScalarType.F32
                        ? in.unsupported("the " + in.opcode() + " of three values is not supported")
                        : in.refuse("takes two values");
            }
            return floats;
        }
        String opcode = in.opcode();
        String half = in.has("lo") ? ".lo" : in.has("hi") ? ".hi" : "";
        ScalarType type = in.type();
        String saturated = type == ScalarType.S32 && in.has("sat") ? ".sat" : "";
        IntegerOperation operation = INTEGER.get(opcode + half + saturated);
        if (operation == null || type == ScalarType.PRED) {
            throw in.refuse("has no type ." + type.ptx());
        }
        boolean sum = operation == IntegerOperation.ADD || operation == IntegerOperation.SUB;
        if (sum && in.has("cc")) {
            boolean subtract = operation == IntegerOperation.SUB;
            return FormParser.operands(in, CarryArithmetic.Add.class, subtract, false, true, type);
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

    private static boolean isFloat(Line in) {
        return in.sees("f32x2")
                || Spellings.TYPES.entrySet().stream()
                        .anyMatch(type -> type.getValue().isFloat() && in.sees(type.getKey()));
    }

    /** addc and subc. */
    static Instruction carried(Line in) {
        boolean out = in.has("cc");
        ScalarType type = in.type();
        return FormParser.operands(in, CarryArithmetic.Add.class, in.opcode().equals("subc"), true, out, type);
    }

    /** mad and madc. */
    static Instruction multiplyAdd(Line in) {
        if (isFloat(in)) {
            // mad of floats is fma under its old name.
            return FormParser.read(in, FloatMath.Fma.class);
        }
        if (in.opcode().equals("madc") || in.sees("cc")) {
            return FormParser.read(in, CarryArithmetic.MultiplyAdd.class);
        }
        Half half = in.one(HALVES, "a half");
        ScalarType type = in.type();
        ScalarType addend =
                half != Half.WIDE || type.bits() == 64 ? type : type.bits() == 16 ? ScalarType.B32 : ScalarType.B64;
        return new Arithmetic.MultiplyAdd(half, type, in.register(), in.value(type), in.value(type), in.value(addend));
    }

    static Instruction unary(Line in) {
        return FormParser.read(in, isFloat(in) ? FloatMath.Unary.class : Arithmetic.Unary.class);
    }
}
