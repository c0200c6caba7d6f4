package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerUnaryOperation;
import dev.tilewright.ptx.type.ScalarType;

/** Integers and bits. PTX 9.7.1, 9.7.8. */
public final class ArithmeticOperations {
    private ArithmeticOperations() {}

    public static Operation decode(Arithmetic instruction, Operands operands) {
        return switch (instruction) {
            case Arithmetic.Binary i ->
                Lanes.binary(operands.target(i.d()), operands.value(i.a()), operands.value(i.b()), binary(i));
            case Arithmetic.MultiplyWide i -> {
                ScalarType t = i.type();
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        (a, b) -> extend(t, a) * extend(t, b));
            }
            case Arithmetic.MultiplyAdd i ->
                Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.c()),
                        multiplyAdd(i.half(), i.type()));
            case Arithmetic.Unary i ->
                Lanes.unary(operands.target(i.d()), operands.value(i.a()), unary(i.operation(), i.type()));
            case Arithmetic.Lop3 i -> {
                int table = i.table();
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.c()),
                        (a, b, c) -> lop3(a, b, c, table));
            }
            case Arithmetic.BitFieldExtract i -> {
                ScalarType t = i.type();
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.position()),
                        operands.value(i.length()),
                        (a, position, length) -> extract(t, a, (int) position & 0xFF, (int) length & 0xFF));
            }
        };
    }

    private static Lanes.Binary binary(Arithmetic.Binary i) {
        ScalarType t = i.type();
        boolean signed = t.isSigned();
        int bits = t.bits();
        IntegerOperation operation = i.operation();
        return switch (operation) {
            case ADD -> (a, b) -> a + b;
            case ADD_SATURATED -> (a, b) -> saturated((long) (int) a + (int) b);
            case SUB -> (a, b) -> a - b;
            case SUB_SATURATED -> (a, b) -> saturated((long) (int) a - (int) b);
            case MUL_LO -> (a, b) -> a * b;
            case MUL_HI -> (a, b) -> multiplyHigh(t, a, b);
            case DIV -> (a, b) -> divide(t, a, b);
            case REM -> (a, b) -> remainder(t, a, b);
            case MIN ->
                signed
                        ? (a, b) -> Math.min(extend(t, a), extend(t, b))
                        : (a, b) -> Long.compareUnsigned(extend(t, a), extend(t, b)) <= 0 ? a : b;
            case MAX ->
                signed
                        ? (a, b) -> Math.max(extend(t, a), extend(t, b))
                        : (a, b) -> Long.compareUnsigned(extend(t, a), extend(t, b)) >= 0 ? a : b;
            case AND -> (a, b) -> a & b;
            case OR -> (a, b) -> a | b;
            case XOR -> (a, b) -> a ^ b;
            case SHL -> (a, b) -> (b & 0xFFFFFFFFL) >= bits ? 0 : a << b;
            case SHR -> (a, b) -> shiftRight(t, a, b & 0xFFFFFFFFL);
        };
    }

    private static long saturated(long value) {
        return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static long shiftRight(ScalarType t, long a, long count) {
        long value = extend(t, a);
        int shift = (int) Math.min(count, 63);
        if (t.isSigned()) {
            return value >> shift;
        }
        return count >= t.bits() ? 0 : value >>> shift;
    }

    static long multiplyHigh(ScalarType t, long a, long b) {
        long x = extend(t, a);
        long y = extend(t, b);
        if (t.bits() == 64) {
            return t.isSigned() ? Math.multiplyHigh(x, y) : Math.unsignedMultiplyHigh(x, y);
        }
        return x * y >> t.bits();
    }

    /** Dividing by zero gives all ones, as the hardware's routine does; PTX leaves it open. */
    private static long divide(ScalarType t, long a, long b) {
        long divisor = extend(t, b);
        if (divisor == 0) {
            return -1;
        }
        return t.isSigned() ? extend(t, a) / divisor : Long.divideUnsigned(extend(t, a), divisor);
    }

    private static long remainder(ScalarType t, long a, long b) {
        long divisor = extend(t, b);
        if (divisor == 0) {
            return -1;
        }
        return t.isSigned() ? extend(t, a) % divisor : Long.remainderUnsigned(extend(t, a), divisor);
    }

    private static Lanes.Ternary multiplyAdd(Half half, ScalarType t) {
        return switch (half) {
            case LO -> (a, b, c) -> a * b + c;
            case HI -> (a, b, c) -> multiplyHigh(t, a, b) + c;
            case WIDE -> (a, b, c) -> extend(t, a) * extend(t, b) + c;
        };
    }

    private static Lanes.Unary unary(IntegerUnaryOperation operation, ScalarType t) {
        int bits = t.bits();
        return switch (operation) {
            case NEG -> a -> -a;
            case ABS -> a -> Math.abs(extend(t, a));
            case NOT -> a -> ~a;
            case CNOT -> a -> extend(t, a) == 0 ? 1 : 0;
            case POPC -> a -> Long.bitCount(extend(t, a));
            case CLZ -> a -> Long.numberOfLeadingZeros(extend(t, a)) - (64 - bits);
            case BREV -> a -> Long.reverse(a) >>> (64 - bits);
        };
    }

    static long lop3(long a, long b, long c, int table) {
        long result = 0;
        for (int row = 0; row < 8; row++) {
            if ((table >> row & 1) != 0) {
                result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
            }
        }
        return result & 0xFFFFFFFFL;
    }

    /** Nibble i of the selector picks byte i; its top bit asks for the sign of that byte instead. */
    static long permute(long a, long b, long selector) {
        long bytes = a & 0xFFFFFFFFL | b << 32;
        long result = 0;
        for (int i = 0; i < 4; i++) {
            int nibble = (int) (selector >>> 4 * i) & 0xF;
            long picked = bytes >>> 8 * (nibble & 7) & 0xFF;
            if ((nibble & 8) != 0) {
                picked = (picked & 0x80) != 0 ? 0xFF : 0;
            }
            result |= picked << 8 * i;
        }
        return result;
    }

    static long extract(ScalarType t, long a, int position, int length) {
        int bits = t.bits();
        long value = extend(t, a);
        if (length == 0) {
            return 0;
        }
        if (position >= bits) {
            return t.isSigned() && value < 0 ? -1 : 0;
        }
        int taken = Math.min(length, bits - position);
        int top = 64 - position - taken;
        return t.isSigned() ? value << top >> top + position : value << top >>> top + position;
    }
}
