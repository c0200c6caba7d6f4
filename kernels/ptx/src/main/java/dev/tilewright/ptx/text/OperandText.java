package dev.tilewright.ptx.text;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.TensorAddress;
import dev.tilewright.ptx.type.VariableAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Operands as text, and an instruction of them. */
final class OperandText {
    /** Numbers up to here are counts and offsets, which read best in decimal; above are masks and descriptors. */
    private static final long DECIMAL = 1 << 20;

    private OperandText() {}

    static String operand(Operand<?> operand) {
        return switch (operand) {
            case Reg<?> register -> register.name();
            case Immediate<?> constant -> immediate(constant);
        };
    }

    /** A constant in hexadecimal whatever its value: lane masks. */
    static String hexadecimal(Operand<?> operand) {
        return switch (operand) {
            case Reg<?> register -> register.name();
            case Immediate<?> constant -> "0x" + Long.toHexString(constant.unsigned());
        };
    }

    static String vector(List<? extends Operand<?>> operands) {
        return operands.stream().map(OperandText::operand).collect(Collectors.joining(", ", "{", "}"));
    }

    private static String address(Address address) {
        String base = switch (address) {
            case Address.InRegister a -> a.base().name();
            case ParamAddress a -> a.parameter();
            case VariableAddress a -> a.symbol();
        };
        return bracketed(base, address.offset());
    }

    /** A variable and an offset, without brackets. */
    static String within(String symbol, int offset) {
        return offset == 0 ? symbol : symbol + "+" + offset;
    }

    private static String bracketed(String base, int offset) {
        return "[" + within(base, offset) + "]";
    }

    private static String immediate(Immediate<?> constant) {
        if (constant.type() == ScalarType.F32) {
            return String.format("0f%08X", constant.unsigned());
        }
        if (constant.type() == ScalarType.F64) {
            return String.format("0d%016X", constant.bits());
        }
        long bits = constant.bits();
        return bits >= -DECIMAL && bits <= DECIMAL ? Long.toString(bits) : "0x" + Long.toHexString(constant.unsigned());
    }

    /** An instruction with its operands: each as its type is written, or a text as it is; absent ones are left out. */
    static String line(String mnemonic, Object... operands) {
        return mnemonic
                + Arrays.stream(operands)
                        .flatMap(operand -> operand instanceof Optional<?> maybe ? maybe.stream() : Stream.of(operand))
                        .map(OperandText::written)
                        .collect(Collectors.joining(", ", " ", ""));
    }

    static String written(Object operand) {
        return switch (operand) {
            case Operand<?> o -> operand(o);
            case Address a -> address(a);
            case TensorAddress a -> bracketed(a.base().name(), a.offset());
            case String text -> text;
            default -> throw new IllegalArgumentException("no operand: " + operand);
        };
    }

    static String size(int elements) {
        return elements == 1 ? "" : ".v" + elements;
    }

    static String scalarOrVector(List<? extends Operand<?>> operands) {
        return operands.size() == 1 ? operand(operands.getFirst()) : vector(operands);
    }

    /** A predicate, maybe with {@code !}. */
    static String negated(boolean negated, Reg<?> predicate) {
        return (negated ? "!" : "") + predicate.name();
    }

    /** cvta knows the spaces by their old names. */
    static String window(StateSpace space) {
        return space == StateSpace.SHARED ? ".shared" : space.ptx();
    }
}
