package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FloatMath.Options;
import dev.tilewright.ptx.instruction.Packed;
import dev.tilewright.ptx.instruction.Packed.Narrow;
import dev.tilewright.ptx.type.ScalarType;

/** Several values in one register. PTX 9.7.3, 9.7.9.22. */
public final class PackedOperations {
    private static final long LOW = 0xFFFFFFFFL;

    private PackedOperations() {}

    public static Operation decode(Packed instruction, Operands operands) {
        return switch (instruction) {
            case Packed.PairBinary i -> {
                Lanes.Binary one = FloatMathOperations.binary(
                        i.operation(), i.rounding(), options(i.flushToZero()), ScalarType.F32);
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        (a, b) -> one.of(a >>> 32, b >>> 32) << 32 | one.of(a & LOW, b & LOW) & LOW);
            }
            case Packed.PairFma i -> {
                Lanes.Ternary one = FloatMathOperations.fma(i.rounding(), options(i.flushToZero()), ScalarType.F32);
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.c()),
                        (a, b, c) ->
                                one.of(a >>> 32, b >>> 32, c >>> 32) << 32 | one.of(a & LOW, b & LOW, c & LOW) & LOW);
            }
            case Packed.SaturateAndPack i -> {
                SourceOperand rest = i.c().isPresent() ? operands.value(i.c().get()) : SourceOperand.constant(0);
                int bits = i.to().bits();
                yield Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        rest,
                        (a, b, c) ->
                                (c << 2 * bits | saturate(i.to(), (int) a) << bits | saturate(i.to(), (int) b)) & LOW);
            }
        };
    }

    private static Options options(boolean flushToZero) {
        return flushToZero ? FloatMath.Options.FLUSH : FloatMath.Options.NONE;
    }

    /** The bits of an s32 in a narrow type. */
    private static long saturate(Narrow to, int value) {
        boolean signed = to.ptx().startsWith("s");
        long low = signed ? -(1L << to.bits() - 1) : 0;
        long high = (1L << to.bits() - (signed ? 1 : 0)) - 1;
        return Math.clamp(value, low, high) & (1L << to.bits()) - 1;
    }
}
