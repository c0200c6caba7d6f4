package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Conversion;
import dev.tilewright.ptx.instruction.Conversion.Options;
import dev.tilewright.ptx.instruction.Conversion.Tf32Rounding;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** cvt with options and of eight-bit floats, addresses of variables, isspacep. PTX 9.7.9.19 to 9.7.9.21. */
public final class ConversionOperations {
    private static final long NAN_OF_TF32 = 0x7FFFFFFFL;
    private static final int TF32_SHIFT = 13;

    private ConversionOperations() {}

    public static Operation decode(Conversion instruction, Operands operands) {
        return switch (instruction) {
            case Conversion.Cvt i ->
                Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        convert(i.rounding(), i.options(), i.to(), i.from()));
            case Conversion.Pair i -> {
                FloatFormat format = FloatFormat.of(i.to());
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.high()),
                        operands.value(i.low()),
                        (high, low) -> narrow(format, i.rounding(), i.options(), FloatOperations.toFloat(high)) << 16
                                | narrow(format, i.rounding(), i.options(), FloatOperations.toFloat(low)));
            }
            case Conversion.ToTf32 i ->
                Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        a -> tf32(i.rounding(), i.options(), FloatOperations.toFloat(a)));
            case Conversion.ToFp8 i -> {
                FloatFormat format = format(i.to());
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.high()),
                        operands.value(i.low()),
                        (high, low) -> eight(format, i.relu(), FloatOperations.toFloat(high)) << 8
                                | eight(format, i.relu(), FloatOperations.toFloat(low)));
            }
            case Conversion.HalvesToFp8 i -> {
                FloatFormat format = format(i.to());
                yield Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        a -> eight(format, i.relu(), FloatFormat.F16.widen(a >>> 16)) << 8
                                | eight(format, i.relu(), FloatFormat.F16.widen(a)));
            }
            case Conversion.Fp8ToHalves i -> {
                FloatFormat format = format(i.from());
                yield Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        a -> half(format, i.relu(), a >>> 8) << 16 | half(format, i.relu(), a));
            }
            case Conversion.AddressWithin i -> address(i.symbol(), i.space(), i.offset(), false, i.d(), operands);
            case Conversion.GenericAddressOf i -> address(i.symbol(), i.space(), i.offset(), true, i.d(), operands);
            case Conversion.IsInSpace i -> {
                SourceOperand a = operands.value(i.a());
                yield Lanes.predicate(
                        operands.predicate(i.d()), (warp, lane) -> isIn(i.space(), warp, a.get(warp, lane)));
            }
        };
    }

    // ---- numbers ------------------------------------------------------------------------------------------------

    private static Lanes.Unary convert(Rounding rounding, Options options, ScalarType to, ScalarType from) {
        boolean flushed = options.flushToZero() && from == ScalarType.F32;
        if (!from.isFloat()) {
            if (!to.isFloat()) {
                return options.saturate() ? a -> clamp(to, from, extend(from, a)) : a -> extend(to, extend(from, a));
            }
            Lanes.Unary plain = ConvertOperations.convert(rounding, to, from);
            return a -> finish(options, to, plain.of(a));
        }
        if (!to.isFloat()) {
            return a -> ConvertOperations.toInteger(rounding, to, from, widen(from, flushed, a));
        }
        boolean whole = from == to;
        return a -> {
            double value = widen(from, flushed, a);
            double rounded = whole ? ConvertOperations.integral(rounding, value) : value;
            return finish(
                    options,
                    to,
                    to == ScalarType.F64
                            ? FloatOperations.bits(rounded)
                            : FloatFormat.of(to).round(rounded, rounding));
        };
    }

    private static double widen(ScalarType from, boolean flushed, long bits) {
        return ConvertOperations.widen(from, flushed ? FloatFormat.F32.flush(bits) : bits);
    }

    private static long finish(Options options, ScalarType to, long bits) {
        if (to == ScalarType.F64) {
            double value = FloatOperations.toDouble(bits);
            return options.saturate() ? FloatOperations.bits(value > 0 ? Math.min(value, 1) : 0.0) : bits;
        }
        FloatFormat format = FloatFormat.of(to);
        long result = options.flushToZero() && to == ScalarType.F32 ? format.flush(bits) : bits;
        result = options.finite() ? format.finite(result) : result;
        result = options.relu() ? format.relu(result) : result;
        return options.saturate() ? format.saturate(result) : result;
    }

    /** An integer in the range of another type. */
    private static long clamp(ScalarType to, ScalarType from, long value) {
        boolean large = !from.isSigned() && value < 0;
        int bits = to.bits();
        if (to.isSigned()) {
            long most = bits == 64 ? Long.MAX_VALUE : (1L << bits - 1) - 1;
            return large ? most : Math.clamp(value, -most - 1, most);
        }
        if (from.isSigned() && value < 0) {
            return 0;
        }
        long most = bits == 64 ? -1 : (1L << bits) - 1;
        return Long.compareUnsigned(value, most) > 0 ? most : value;
    }

    private static long narrow(FloatFormat format, Rounding rounding, Options options, double value) {
        long bits = format.round(value, rounding);
        bits = options.finite() ? format.finite(bits) : bits;
        return options.relu() ? format.relu(bits) : bits;
    }

    private static long tf32(Tf32Rounding rounding, Options options, float value) {
        if (Float.isNaN(value)) {
            return NAN_OF_TF32;
        }
        FloatFormat format = FloatFormat.TF32;
        long bits = switch (rounding) {
            case RNA -> format.roundAway(value);
            case RN -> format.round(value, Rounding.RN);
            case RZ -> format.round(value, Rounding.RZ);
        };
        bits = options.finite() ? format.finite(bits) : bits;
        return (options.relu() ? format.relu(bits) : bits) << TF32_SHIFT;
    }

    private static FloatFormat format(Element type) {
        return switch (type) {
            case E4M3 -> FloatFormat.E4M3;
            case E5M2 -> FloatFormat.E5M2;
            case F16, BF16, TF32, S8, U8, F32, F64, S32 ->
                throw new IllegalArgumentException("no pair of 8-bit floats has elements of type ." + type.ptx());
        };
    }

    private static long eight(FloatFormat format, boolean relu, double value) {
        double finite = Double.isInfinite(value) ? Math.copySign(Float.MAX_VALUE, value) : value;
        long bits = format.finite(format.round(finite, Rounding.RN));
        return relu ? format.relu(bits) : bits;
    }

    private static long half(FloatFormat format, boolean relu, long bits) {
        long half = FloatFormat.F16.round(format.widen(bits), Rounding.RN);
        return relu ? FloatFormat.F16.relu(half) : half;
    }

    // ---- addresses ----------------------------------------------------------------------------------------------

    /** The address of a byte of a variable: in its own space, or generic. */
    static Operation address(
            String symbol, StateSpace space, int offset, boolean generic, Reg<?> register, Operands operands) {
        DestinationOperand d = operands.target(register);
        // A place of a call is storage of the thread.
        StateSpace home = space == StateSpace.PARAM && operands.hasLocal(symbol) ? StateSpace.LOCAL : space;
        long window = generic ? ConvertOperations.window(home) : 0;
        return switch (home) {
            case SHARED, SHARED_CLUSTER -> {
                int at = operands.shared().offset(symbol) + offset;
                yield Lanes.each(
                        (warp, lane) -> d.set(warp, lane, window + warp.place().window(at)));
            }
            case PARAM -> constant(d, window + operands.parameters().offset(symbol) + offset);
            case LOCAL -> constant(d, window + operands.local(symbol) + offset);
            case GLOBAL, CONST, GENERIC ->
                constant(d, window + operands.variables().named(symbol).address() + offset);
        };
    }

    private static Operation constant(DestinationOperand d, long address) {
        return Lanes.each((warp, lane) -> d.set(warp, lane, address));
    }

    private static boolean isIn(StateSpace space, Warp warp, long address) {
        return switch (space) {
            case SHARED ->
                AddressSpace.isShared(address)
                        && (int) (address - AddressSpace.SHARED) >>> AddressSpace.RANK_SHIFT
                                == warp.place().rank();
            case SHARED_CLUSTER -> AddressSpace.isShared(address);
            case LOCAL -> AddressSpace.isLocal(address);
            case CONST -> AddressSpace.isConstant(address);
            case PARAM -> AddressSpace.isParameter(address);
            case GLOBAL, GENERIC -> AddressSpace.isGlobal(address);
        };
    }
}
