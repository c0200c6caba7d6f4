package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BitField.PairOperation;
import dev.tilewright.ptx.instruction.BitField.PermuteMode;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FloatMath.Property;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Map;
import java.util.Optional;

/** {@link BitField}, and what asks for or changes single bits of floats. */
final class BitFieldParser {
    private static final ScalarType B32 = ScalarType.B32;
    private static final Map<String, PermuteMode> MODES = Spellings.of(PermuteMode.values(), PermuteMode::ptx);
    private static final Map<String, PairOperation> PAIRS = Spellings.of(PairOperation.values(), PairOperation::ptx);
    private static final Map<String, Property> PROPERTIES = Spellings.of(Property.values(), Property::ptx);
    private static final Map<String, Boolean> DIRECTIONS = Map.of("l", true, "r", false);

    private BitFieldParser() {}

    static Instruction permute(Line in) {
        in.require("b32");
        Optional<PermuteMode> mode = in.maybe(MODES);
        return new BitField.Permute(mode, in.register(), in.value(B32), in.value(B32), in.value(B32));
    }

    static Instruction insert(Line in) {
        ScalarType type = in.type();
        return new BitField.Insert(type, in.register(), in.value(type), in.value(type), in.word(), in.word());
    }

    static Instruction funnelShift(Line in) {
        in.require("b32");
        boolean left = in.one(DIRECTIONS, "a direction");
        boolean wrap = wraps(in);
        return new BitField.FunnelShift(left, wrap, in.register(), in.value(B32), in.value(B32), in.word());
    }

    static Instruction findHighest(Line in) {
        boolean shift = in.has("shiftamt");
        ScalarType type = in.type();
        return new BitField.FindHighest(shift, type, in.register(), in.value(type));
    }

    static Instruction mask(Line in) {
        in.require("b32");
        boolean wrap = wraps(in);
        return new BitField.Mask(wrap, in.register(), in.word(), in.word());
    }

    private static boolean wraps(Line in) {
        boolean wrap = in.has("wrap");
        if (!wrap) {
            in.require("clamp");
        }
        return wrap;
    }

    static Instruction absoluteDifference(Line in) {
        ScalarType type = in.type();
        return new BitField.AbsoluteDifference(type, in.register(), in.value(type), in.value(type), in.value(type));
    }

    /** add, min and max of two halves. */
    static Instruction pair(Line in) {
        PairOperation operation = PAIRS.get(in.opcode());
        if (operation == null) {
            throw in.refuse("has no type of two halves");
        }
        boolean signed = in.has("s16x2");
        if (!signed) {
            in.require("u16x2");
        }
        boolean relu = in.has("relu");
        return new BitField.PairBinary(operation, signed, relu, in.register(), in.value(B32), in.value(B32));
    }

    static Instruction dotProduct(Line in) {
        ScalarType typeA = in.type();
        ScalarType typeB = in.type();
        return new BitField.DotProduct(typeA, typeB, in.register(), in.value(B32), in.value(B32), in.value(B32));
    }

    static Instruction copySign(Line in) {
        ScalarType type = in.type();
        return new FloatMath.CopySign(type, in.register(), in.value(type), in.value(type));
    }

    static Instruction test(Line in) {
        Property property = in.one(PROPERTIES, "a property");
        ScalarType type = in.type();
        return new FloatMath.Test(property, type, in.register(), in.value(type));
    }
}
