package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** setp, set, selp, slct and logic on predicates. PTX 9.7.6 to 9.7.8. */
public final class CompareOperations {
    @FunctionalInterface
    private interface Test {
        boolean of(long a, long b);
    }

    private CompareOperations() {}

    public static Operation decode(Compare instruction, Operands operands) {
        return switch (instruction) {
            case Compare.SetPredicate i -> setPredicate(i, operands);
            case Compare.SetValue i -> setValue(i, operands);
            case Compare.SelectBySign i -> select(i, operands);
            case Compare.Select i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand a = operands.value(i.a());
                SourceOperand b = operands.value(i.b());
                int p = operands.predicate(i.p());
                yield Lanes.each((warp, lane) ->
                        d.set(warp, lane, ((warp.predicates[p] >>> lane & 1) != 0 ? a : b).get(warp, lane)));
            }
            case Compare.PredicateBinary i -> {
                int d = operands.predicate(i.d());
                int a = operands.predicate(i.a());
                int b = operands.predicate(i.b());
                BooleanOperation operation = i.operation();
                yield (strand, mask) -> {
                    Warp warp = strand.warp();
                    Lanes.setPredicate(warp, d, mask, combine(operation, warp.predicates[a], warp.predicates[b]));
                    return Outcome.NEXT;
                };
            }
            case Compare.PredicateNot i -> {
                int d = operands.predicate(i.d());
                int a = operands.predicate(i.a());
                yield (strand, mask) -> {
                    Lanes.setPredicate(strand.warp(), d, mask, ~strand.warp().predicates[a]);
                    return Outcome.NEXT;
                };
            }
        };
    }

    private static int combine(BooleanOperation operation, int a, int b) {
        return switch (operation) {
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
        };
    }

    /** Two operands and what is asked of them: of the low halves of a pair, or of its high ones. */
    private record Question(Test test, int shift, SourceOperand a, SourceOperand b, Combination combination) {
        int of(Warp warp, int mask) {
            int yes = Lanes.yes(warp, mask, (w, lane) -> test.of(a.get(w, lane) >>> shift, b.get(w, lane) >>> shift));
            return combination.of(warp, yes);
        }

        int complement(Warp warp, int mask) {
            int yes = Lanes.yes(warp, mask, (w, lane) -> !test.of(a.get(w, lane) >>> shift, b.get(w, lane) >>> shift));
            return combination.of(warp, yes);
        }
    }

    /** The third input. */
    private record Combination(Optional<Combine> with, int predicate) {
        static Combination of(Optional<Combine> with, Operands operands) {
            return new Combination(
                    with, with.map(c -> operands.predicate(c.predicate())).orElse(0));
        }

        int of(Warp warp, int result) {
            if (with.isEmpty()) {
                return result;
            }
            int other = warp.predicates[predicate];
            return combine(with.get().operation(), result, with.get().negated() ? ~other : other);
        }
    }

    private static Test test(Relation relation, boolean flush, ScalarType type) {
        ScalarType one = element(type);
        Test test = test(relation, one);
        return flush && (one == ScalarType.F32 || one == ScalarType.F16)
                ? (a, b) -> test.of(
                        FloatFormat.of(one).flush(a), FloatFormat.of(one).flush(b))
                : test;
    }

    private static ScalarType element(ScalarType type) {
        return switch (type) {
            case F16X2 -> ScalarType.F16;
            case BF16X2 -> ScalarType.BF16;
            default -> type;
        };
    }

    private static Operation setPredicate(Compare.SetPredicate i, Operands operands) {
        int d = operands.predicate(i.d());
        int second = i.second().map((Reg<Pred> p) -> operands.predicate(p)).orElse(-1);
        boolean pair = FloatMathOperations.isPair(i.type());
        Test test = test(i.relation(), i.flushToZero(), i.type());
        SourceOperand a = operands.value(i.a());
        SourceOperand b = operands.value(i.b());
        Combination combination = Combination.of(i.combine(), operands);
        Question first = new Question(test, 0, a, b, combination);
        Question other = new Question(test, pair ? 16 : 0, a, b, combination);
        return (strand, mask) -> {
            Warp warp = strand.warp();
            int result = first.of(warp, mask);
            if (second >= 0) {
                int more = pair ? other.of(warp, mask) : other.complement(warp, mask);
                Lanes.setPredicate(warp, second, mask, more);
            }
            Lanes.setPredicate(warp, d, mask, result);
            return Outcome.NEXT;
        };
    }

    private static Operation setValue(Compare.SetValue i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        boolean pair = FloatMathOperations.isPair(i.type());
        Test test = test(i.relation(), i.flushToZero(), i.type());
        SourceOperand a = operands.value(i.a());
        SourceOperand b = operands.value(i.b());
        Combination combination = Combination.of(i.combine(), operands);
        Question low = new Question(test, 0, a, b, combination);
        Question high = new Question(test, 16, a, b, combination);
        long yes = yes(i.to(), pair);
        return (strand, mask) -> {
            Warp warp = strand.warp();
            int first = low.of(warp, mask);
            int second = pair ? high.of(warp, mask) : 0;
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                long value = (first >>> lane & 1) != 0 ? yes : 0;
                d.set(warp, lane, value | ((second >>> lane & 1) != 0 ? yes << 16 : 0));
            }
            return Outcome.NEXT;
        };
    }

    /** The bits of true, in the low half if there are two halves. */
    private static long yes(ScalarType to, boolean pair) {
        return switch (element(to)) {
            case F32 -> FloatOperations.bits(1f);
            case F16 -> 0x3C00;
            case BF16 -> 0x3F80;
            default -> pair || to.bits() == 16 ? 0xFFFF : 0xFFFFFFFFL;
        };
    }

    private static Operation select(Compare.SelectBySign i, Operands operands) {
        boolean real = i.of() == ScalarType.F32;
        boolean flush = i.flushToZero();
        return Lanes.ternary(
                operands.target(i.d()),
                operands.value(i.a()),
                operands.value(i.b()),
                operands.value(i.c()),
                (a, b, c) -> {
                    if (!real) {
                        return (int) c >= 0 ? a : b;
                    }
                    return FloatOperations.toFloat(flush ? FloatFormat.F32.flush(c) : c) >= 0 ? a : b;
                });
    }

    private static Test test(Relation relation, ScalarType type) {
        return switch (type) {
            case F32 -> {
                FloatTest test = floatTest(relation);
                yield (a, b) -> test.of(FloatOperations.toFloat(a), FloatOperations.toFloat(b));
            }
            case F64 -> {
                FloatTest test = floatTest(relation);
                yield (a, b) -> test.of(FloatOperations.toDouble(a), FloatOperations.toDouble(b));
            }
            case F16, BF16 -> {
                FloatTest test = floatTest(relation);
                FloatFormat format = FloatFormat.of(type);
                yield (a, b) -> test.of(format.widen(a), format.widen(b));
            }
            case F16X2, BF16X2, F32X2 -> throw new IllegalArgumentException("halves are compared one by one: " + type);
            case PRED, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64 -> {
                Order order = type.isSigned()
                        ? (a, b) -> Long.compare(extend(type, a), extend(type, b))
                        : (a, b) -> Long.compareUnsigned(extend(type, a), extend(type, b));
                yield integerTest(relation, order);
            }
        };
    }

    @FunctionalInterface
    private interface Order {
        int of(long a, long b);
    }

    @FunctionalInterface
    private interface FloatTest {
        boolean of(double a, double b);
    }

    private static Test integerTest(Relation relation, Order order) {
        return switch (relation) {
            case EQ -> (a, b) -> order.of(a, b) == 0;
            case NE -> (a, b) -> order.of(a, b) != 0;
            case LT -> (a, b) -> order.of(a, b) < 0;
            case LE -> (a, b) -> order.of(a, b) <= 0;
            case GT -> (a, b) -> order.of(a, b) > 0;
            case GE -> (a, b) -> order.of(a, b) >= 0;
            case LTU, GTU, GEU, LEU, NEU, EQU, NAN, NUM ->
                throw new IllegalArgumentException("setp." + relation.ptx() + " compares floats");
        };
    }

    private static FloatTest floatTest(Relation relation) {
        return switch (relation) {
            case EQ -> (a, b) -> a == b;
            case NE -> (a, b) -> a < b || a > b;
            case LT -> (a, b) -> a < b;
            case LE -> (a, b) -> a <= b;
            case GT -> (a, b) -> a > b;
            case GE -> (a, b) -> a >= b;
            case LTU -> (a, b) -> !(a >= b);
            case GTU -> (a, b) -> !(a <= b);
            case GEU -> (a, b) -> !(a < b);
            case LEU -> (a, b) -> !(a > b);
            case NEU -> (a, b) -> a != b;
            case EQU -> (a, b) -> !(a < b || a > b);
            case NAN -> (a, b) -> Double.isNaN(a) || Double.isNaN(b);
            case NUM -> (a, b) -> !Double.isNaN(a) && !Double.isNaN(b);
        };
    }
}
