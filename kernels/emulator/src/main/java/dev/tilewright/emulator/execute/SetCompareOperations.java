package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.SetCompare;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** setp of halves and with two results, set, slct. PTX 9.7.6, 9.7.7. */
public final class SetCompareOperations {
    private SetCompareOperations() {}

    public static Operation decode(SetCompare instruction, Operands operands) {
        return switch (instruction) {
            case SetCompare.SetPredicates i -> setPredicates(i, operands);
            case SetCompare.SetValue i -> setValue(i, operands);
            case SetCompare.SelectBySign i -> select(i, operands);
            case SetCompare.ConstantPredicate i -> {
                int d = operands.predicate(i.d());
                int bits = i.value() ? -1 : 0;
                yield (strand, mask) -> {
                    Lanes.setPredicate(strand.warp(), d, mask, bits);
                    return Outcome.NEXT;
                };
            }
        };
    }

    /** Two operands and what is asked of them: of the low halves of a pair, or of its high ones. */
    private record Question(
            CompareOperations.Test test, int shift, SourceOperand a, SourceOperand b, Combination combination) {
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
            return CompareOperations.combine(
                    with.get().operation(), result, with.get().negated() ? ~other : other);
        }
    }

    private static CompareOperations.Test test(Relation relation, boolean flush, ScalarType type) {
        ScalarType one = element(type);
        CompareOperations.Test test = CompareOperations.test(relation, one);
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

    private static Operation setPredicates(SetCompare.SetPredicates i, Operands operands) {
        int d = operands.predicate(i.d());
        int second = i.second().map((Reg<Pred> p) -> operands.predicate(p)).orElse(-1);
        boolean pair = FloatMathOperations.isPair(i.type());
        CompareOperations.Test test = test(i.relation(), i.flushToZero(), i.type());
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

    private static Operation setValue(SetCompare.SetValue i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        boolean pair = FloatMathOperations.isPair(i.type());
        CompareOperations.Test test = test(i.relation(), i.flushToZero(), i.type());
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

    /** What stands for true, in the low half if there are two. */
    private static long yes(ScalarType to, boolean pair) {
        return switch (element(to)) {
            case F32 -> FloatOperations.bits(1f);
            case F16 -> 0x3C00;
            case BF16 -> 0x3F80;
            default -> pair || to.bits() == 16 ? 0xFFFF : 0xFFFFFFFFL;
        };
    }

    private static Operation select(SetCompare.SelectBySign i, Operands operands) {
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
}
