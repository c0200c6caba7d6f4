package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Bits, bytes and pairs of integers. PTX 9.7.1, 9.7.8.7, 9.7.9.7. */
public final class BitFieldOperations {
    /** For each mode and selector the bytes that are picked, the lowest last. PTX 9.7.9.7, second table. */
    private static final int[][] PICKS = {
        {0x3210, 0x4321, 0x5432, 0x6543},
        {0x5670, 0x6701, 0x7012, 0x0123},
        {0x0000, 0x1111, 0x2222, 0x3333},
        {0x3210, 0x3211, 0x3222, 0x3333},
        {0x0000, 0x1110, 0x2210, 0x3210},
        {0x1010, 0x3232, 0x1010, 0x3232}
    };

    private BitFieldOperations() {}

    public static Operation decode(BitField instruction, Operands operands) {
        return switch (instruction) {
            case BitField.Insert i -> insert(i, operands);
            case BitField.FunnelShift i ->
                Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.count()),
                        (a, b, count) -> funnel(i.left(), i.wrap(), a, b, count));
            case BitField.FindHighest i ->
                Lanes.unary(operands.target(i.d()), operands.value(i.a()), a -> highest(i.shift(), i.type(), a));
            case BitField.Mask i ->
                Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.position()),
                        operands.value(i.length()),
                        (position, length) -> mask(i.wrap(), position & 0xFFFFFFFFL, length & 0xFFFFFFFFL));
            case BitField.Permute i -> {
                Optional<int[]> picks = i.mode().map(mode -> PICKS[mode.ordinal()]);
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.selector()),
                        picks.<Lanes.Ternary>map(p ->
                                        (a, b, selector) -> ArithmeticOperations.permute(a, b, p[(int) selector & 3]))
                                .orElse(ArithmeticOperations::permute));
            }
            case BitField.AbsoluteDifference i -> {
                ScalarType t = i.type();
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.c()),
                        (a, b, c) -> c + difference(t, extend(t, a), extend(t, b)));
            }
            case BitField.PairBinary i ->
                Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        (a, b) -> half(i, a >>> 16, b >>> 16) << 16 | half(i, a, b));
            case BitField.DotProduct i ->
                Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.c()),
                        (a, b, c) -> dotProduct(i.typeA().isSigned(), i.typeB().isSigned(), a, b, c));
        };
    }

    private static Operation insert(BitField.Insert i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        SourceOperand a = operands.value(i.a());
        SourceOperand b = operands.value(i.b());
        SourceOperand position = operands.value(i.position());
        SourceOperand length = operands.value(i.length());
        int bits = i.type().bits();
        return Lanes.each((warp, lane) -> d.set(
                warp,
                lane,
                insert(
                        bits,
                        a.get(warp, lane),
                        b.get(warp, lane),
                        position.word(warp, lane) & 0xFF,
                        length.word(warp, lane) & 0xFF)));
    }

    static long insert(int bits, long a, long b, int position, int length) {
        if (length == 0 || position >= bits) {
            return b;
        }
        int taken = Math.min(length, bits - position);
        long field = (taken == 64 ? -1 : (1L << taken) - 1) << position;
        return b & ~field | a << position & field;
    }

    static long funnel(boolean left, boolean wrap, long a, long b, long count) {
        long both = a & 0xFFFFFFFFL | b << 32;
        int shift = (int) (wrap ? count & 31 : Math.min(count & 0xFFFFFFFFL, 32));
        return left ? both << shift >>> 32 : both >>> shift & 0xFFFFFFFFL;
    }

    static long highest(boolean shift, ScalarType type, long a) {
        long value = extend(type, a);
        int found = 63 - Long.numberOfLeadingZeros(type.isSigned() && value < 0 ? ~value : value);
        return found < 0 ? 0xFFFFFFFFL : shift ? type.bits() - 1 - found : found;
    }

    static long mask(boolean wrap, long position, long length) {
        if (!wrap && position >= 32) {
            return 0;
        }
        long from = position & 31;
        long count = wrap ? length & 31 : Math.min(length, 32);
        return (1L << count) - 1 << from & 0xFFFFFFFFL;
    }

    private static long difference(ScalarType type, long a, long b) {
        boolean less = type.isSigned() ? a < b : Long.compareUnsigned(a, b) < 0;
        return less ? b - a : a - b;
    }

    private static long half(BitField.PairBinary i, long a, long b) {
        ScalarType type = i.signed() ? ScalarType.S16 : ScalarType.U16;
        long x = extend(type, a);
        long y = extend(type, b);
        long result = switch (i.operation()) {
            case ADD -> x + y;
            case MIN -> Math.min(x, y);
            case MAX -> Math.max(x, y);
        };
        return (i.relu() ? Math.max(0, result) : result) & 0xFFFF;
    }

    static long dotProduct(boolean signedA, boolean signedB, long a, long b, long c) {
        long sum = c;
        for (int shift = 0; shift < 32; shift += 8) {
            sum += part(signedA, a >>> shift) * part(signedB, b >>> shift);
        }
        return sum;
    }

    private static long part(boolean signed, long value) {
        return signed ? (byte) value : value & 0xFF;
    }
}
