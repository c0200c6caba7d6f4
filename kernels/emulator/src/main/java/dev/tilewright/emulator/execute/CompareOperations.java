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
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.type.ScalarType;

/** setp, selp and logic on predicates. PTX 9.7.6, 9.7.8. */
public final class CompareOperations {
    @FunctionalInterface
    interface Test {
        boolean of(long a, long b);
    }

    private CompareOperations() {}

    public static Operation decode(Compare instruction, Operands operands) {
        return switch (instruction) {
            case Compare.SetPredicate i -> setPredicate(i, operands);
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

    static int combine(BooleanOperation operation, int a, int b) {
        return switch (operation) {
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
        };
    }

    private static Operation setPredicate(Compare.SetPredicate i, Operands operands) {
        int d = operands.predicate(i.d());
        SourceOperand a = operands.value(i.a());
        SourceOperand b = operands.value(i.b());
        Test test = test(i.relation(), i.type());
        Compare.Combine with = i.combine().orElse(null);
        int other = with == null ? 0 : operands.predicate(with.predicate());
        return (strand, mask) -> {
            Warp warp = strand.warp();
            int result = 0;
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                if (test.of(a.get(warp, lane), b.get(warp, lane))) {
                    result |= 1 << lane;
                }
            }
            if (with != null) {
                int second = with.negated() ? ~warp.predicates[other] : warp.predicates[other];
                result = combine(with.operation(), result, second);
            }
            Lanes.setPredicate(warp, d, mask, result);
            return Outcome.NEXT;
        };
    }

    static Test test(Relation relation, ScalarType type) {
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
