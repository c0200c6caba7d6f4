package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.FloatOperations.toDouble;
import static dev.tilewright.emulator.execute.FloatOperations.toFloat;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.number.Exact;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FloatMath.Options;
import dev.tilewright.ptx.instruction.FloatMath.Property;
import dev.tilewright.ptx.instruction.FloatMath.UnaryOperation;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/**
 * Floats of 16 to 64 bits and their pairs. Each result is rounded once from the exact value; subnormal results are
 * flushed behind the rounding. PTX 9.7.3, 9.7.4.
 */
public final class FloatMathOperations {
    private static final long WORD = 0xFFFFFFFFL;

    private FloatMathOperations() {}

    public static Operation decode(FloatMath instruction, Operands operands) {
        return switch (instruction) {
            case FloatMath.Binary i ->
                Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        binary(i.operation(), i.rounding(), i.options(), i.type()));
            case FloatMath.Fma i ->
                Lanes.ternary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        operands.value(i.c()),
                        fma(i.rounding(), i.options(), i.type()));
            case FloatMath.Unary i ->
                Lanes.unary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        unary(i.operation(), i.rounding(), i.flushToZero(), i.type()));
            case FloatMath.CopySign i -> {
                long sign = i.type() == ScalarType.F64 ? Long.MIN_VALUE : 0x80000000L;
                yield Lanes.binary(
                        operands.target(i.d()),
                        operands.value(i.a()),
                        operands.value(i.b()),
                        (a, b) -> b & ~sign | a & sign);
            }
            case FloatMath.Test i -> {
                SourceOperand a = operands.value(i.a());
                yield Lanes.predicate(
                        operands.predicate(i.d()), (warp, lane) -> test(i.property(), i.type(), a.get(warp, lane)));
            }
        };
    }

    /** Whether the type has two values of 16 bits in a register. */
    static boolean isPair(ScalarType type) {
        return type == ScalarType.F16X2 || type == ScalarType.BF16X2;
    }

    static Lanes.Binary binary(FloatMath.Operation operation, Rounding rounding, Options options, ScalarType type) {
        boolean gross = rounding == Rounding.APPROX || rounding == Rounding.FULL;
        boolean plain = options.equals(Options.NONE) && (rounding == Rounding.NONE || rounding == Rounding.RN || gross);
        if (type == ScalarType.F64) {
            return FloatOperations.binary64(operation, rounding);
        } else if (type == ScalarType.F32 && plain) {
            return FloatOperations.nearest32(operation);
        } else if (type == ScalarType.F32X2) {
            Lanes.Binary one = binary(operation, rounding, options, ScalarType.F32);
            return (a, b) -> one.of(a >>> 32, b >>> 32) << 32 | one.of(a & WORD, b & WORD) & WORD;
        }
        FloatFormat format = FloatFormat.of(type);
        boolean extreme = operation == FloatMath.Operation.MIN || operation == FloatMath.Operation.MAX;
        Lanes.Binary one = (a, b) -> {
            long x = input(format, options, a);
            long y = input(format, options, b);
            return output(
                    format,
                    options,
                    extreme
                            ? extreme(operation, options, format, x, y)
                            : format.round(
                                    FloatOperations.exact(operation, format.widen(x), format.widen(y), rounding),
                                    rounding));
        };
        return isPair(type) ? (a, b) -> one.of(a >>> 16, b >>> 16) << 16 | one.of(low(a), low(b)) : one;
    }

    private static long extreme(FloatMath.Operation operation, Options options, FloatFormat format, long a, long b) {
        double x = format.widen(options.signOfProduct() ? format.magnitude(a) : a);
        double y = format.widen(options.signOfProduct() ? format.magnitude(b) : b);
        if (options.nan() && (Double.isNaN(x) || Double.isNaN(y))) {
            return format.nan();
        }
        double value =
                operation == FloatMath.Operation.MIN ? FloatOperations.minimum(x, y) : FloatOperations.maximum(x, y);
        long result = format.round(value, Rounding.RN);
        boolean negative = options.signOfProduct() && format.isNegative(a ^ b);
        return negative && !Double.isNaN(value) ? format.negate(result) : result;
    }

    private static Lanes.Ternary fma(Rounding rounding, Options options, ScalarType type) {
        if (type == ScalarType.F64) {
            return (a, b, c) ->
                    FloatOperations.bits(Exact.multiplyAdd64(toDouble(a), toDouble(b), toDouble(c), rounding));
        } else if (type == ScalarType.F32 && rounding == Rounding.RN && options.equals(Options.NONE)) {
            return (a, b, c) -> FloatOperations.bits(Math.fma(toFloat(a), toFloat(b), toFloat(c)));
        } else if (type == ScalarType.F32X2) {
            Lanes.Ternary one = fma(rounding, options, ScalarType.F32);
            return (a, b, c) ->
                    one.of(a >>> 32, b >>> 32, c >>> 32) << 32 | one.of(a & WORD, b & WORD, c & WORD) & WORD;
        }
        FloatFormat format = FloatFormat.of(type);
        Lanes.Ternary one = (a, b, c) -> {
            double x = format.widen(input(format, options, a));
            double y = format.widen(input(format, options, b));
            double z = format.widen(input(format, options, c));
            return output(format, options, format.round(Exact.multiplyAdd(x, y, z, rounding), rounding));
        };
        return isPair(type)
                ? (a, b, c) -> one.of(a >>> 16, b >>> 16, c >>> 16) << 16 | one.of(low(a), low(b), low(c))
                : one;
    }

    private static long input(FloatFormat format, Options options, long bits) {
        return options.flushToZero() ? format.flush(bits) : bits;
    }

    private static long output(FloatFormat format, Options options, long bits) {
        long result = options.flushToZero() ? format.flush(bits) : bits;
        result = options.relu() ? format.relu(result) : result;
        return options.saturate() ? format.saturate(result) : result;
    }

    private static Lanes.Unary unary(UnaryOperation operation, Rounding rounding, boolean flush, ScalarType type) {
        if (type == ScalarType.F64) {
            return unary64(operation, rounding, flush);
        }
        FloatFormat format = FloatFormat.of(type);
        Lanes.Unary one = bits -> {
            long a = flush ? format.flush(bits) : bits;
            long result = switch (operation) {
                case NEG -> format.negate(a);
                case ABS -> format.magnitude(a);
                case SQRT -> format.round(Exact.root(format.widen(a)), rounding);
                case RCP -> format.round(Exact.quotient(1, format.widen(a)), rounding);
                case RSQRT -> format.round(Approximations.inverseRoot(format.widen(a)), Rounding.RN);
                case LG2 -> format.round(Approximations.logarithm(format.widen(a)), Rounding.RN);
                case EX2 -> format.round(Approximations.power(format.widen(a)), Rounding.RN);
                case SIN -> format.round(Math.sin(format.widen(a)), Rounding.RN);
                case COS -> format.round(Math.cos(format.widen(a)), Rounding.RN);
                case TANH -> format.round(Math.tanh(format.widen(a)), Rounding.RN);
            };
            return flush ? format.flush(result) : result;
        };
        return isPair(type) ? a -> one.of(a >>> 16) << 16 | one.of(low(a)) : one;
    }

    private static Lanes.Unary unary64(UnaryOperation operation, Rounding rounding, boolean flush) {
        boolean approximate = rounding == Rounding.APPROX;
        return switch (operation) {
            case NEG -> a -> a ^ Long.MIN_VALUE;
            case ABS -> a -> a & Long.MAX_VALUE;
            case SQRT -> a -> FloatOperations.bits(Exact.root64(toDouble(a), rounding));
            case RCP ->
                approximate
                        ? a -> gross(1 / toDouble(coarse(a)))
                        : a -> FloatOperations.bits(Exact.quotient64(1, toDouble(a), rounding));
            case RSQRT ->
                flush
                        ? a -> gross(Approximations.inverseRoot(toDouble(coarse(a))))
                        : a -> FloatOperations.bits(Approximations.inverseRoot(toDouble(a)));
            case LG2, EX2, SIN, COS, TANH -> throw new IllegalArgumentException(operation.ptx() + " is of no f64");
        };
    }

    /** The upper half of an f64, subnormals flushed: all that {@code .approx.ftz.f64} looks at. */
    private static long coarse(long bits) {
        boolean subnormal = (bits & 0x7FF0000000000000L) == 0;
        return bits & (subnormal ? Long.MIN_VALUE : 0xFFFFFFFF00000000L);
    }

    /** The result: the upper half of the f64. */
    private static long gross(double value) {
        return coarse(FloatOperations.bits(value));
    }

    private static boolean test(Property property, ScalarType type, long bits) {
        boolean single = type == ScalarType.F32;
        double value = single ? toFloat(bits) : toDouble(bits);
        double smallest = single ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        boolean finite = Double.isFinite(value);
        return switch (property) {
            case FINITE -> finite;
            case INFINITE -> Double.isInfinite(value);
            case NUMBER -> !Double.isNaN(value);
            case NOT_A_NUMBER -> Double.isNaN(value);
            // 9.7.3.1: zeros of either sign are normal.
            case NORMAL -> finite && (value == 0 || Math.abs(value) >= smallest);
            case SUBNORMAL -> value != 0 && Math.abs(value) < smallest;
        };
    }

    private static long low(long pair) {
        return pair & 0xFFFF;
    }
}
