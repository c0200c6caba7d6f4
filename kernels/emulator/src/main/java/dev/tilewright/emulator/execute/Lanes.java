package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.ScalarType;

/** Operations that each lane does for itself. */
final class Lanes {
    @FunctionalInterface
    interface Unary {
        long of(long a);
    }

    @FunctionalInterface
    interface Binary {
        long of(long a, long b);
    }

    @FunctionalInterface
    interface Ternary {
        long of(long a, long b, long c);
    }

    /** The operation of one lane. */
    @FunctionalInterface
    interface Each {
        void of(Warp warp, int lane);
    }

    /** The operation of one lane that uses more than its warp, but no memory. */
    @FunctionalInterface
    interface Inside {
        void of(Strand strand, int lane);
    }

    /** A predicate of one lane. */
    @FunctionalInterface
    interface Question {
        boolean of(Warp warp, int lane);
    }

    /** An access of one lane; findings name the lane and its instruction as evidence. */
    @FunctionalInterface
    interface Access {
        void of(Strand strand, int lane);
    }

    private Lanes() {}

    static Operation unary(DestinationOperand d, SourceOperand a, Unary function) {
        return each((warp, lane) -> d.set(warp, lane, function.of(a.get(warp, lane))));
    }

    static Operation binary(DestinationOperand d, SourceOperand a, SourceOperand b, Binary function) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                d.set(warp, lane, function.of(a.get(warp, lane), b.get(warp, lane)));
            }
            return Outcome.NEXT;
        };
    }

    static Operation ternary(
            DestinationOperand d, SourceOperand a, SourceOperand b, SourceOperand c, Ternary function) {
        return each((warp, lane) ->
                d.set(warp, lane, function.of(a.get(warp, lane), b.get(warp, lane), c.get(warp, lane))));
    }

    static Operation each(Each action) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                action.of(warp, Integer.numberOfTrailingZeros(rest));
            }
            return Outcome.NEXT;
        };
    }

    /** Accesses nothing, so no lane is noted as evidence. */
    static Operation inside(Inside action) {
        return (strand, mask) -> {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                action.of(strand, Integer.numberOfTrailingZeros(rest));
            }
            return Outcome.NEXT;
        };
    }

    static Operation access(Access action) {
        return (strand, mask) -> {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                strand.at(lane);
                action.of(strand, lane);
            }
            return Outcome.NEXT;
        };
    }

    /** A predicate, true for the lanes that say yes. */
    static Operation predicate(int d, Question question) {
        return (strand, mask) -> {
            setPredicate(strand.warp(), d, mask, yes(strand.warp(), mask, question));
            return Outcome.NEXT;
        };
    }

    /** The lanes of a mask that say yes. */
    static int yes(Warp warp, int mask, Question question) {
        int yes = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (question.of(warp, lane)) {
                yes |= 1 << lane;
            }
        }
        return yes;
    }

    /** Bits of a predicate for the lanes of a mask. */
    static void setPredicate(Warp warp, int predicate, int mask, int bits) {
        warp.predicates[predicate] = warp.predicates[predicate] & ~mask | bits & mask;
    }

    /** The value of the low bits as a number of the type: sign- or zero-extended. */
    static long extend(ScalarType type, long bits) {
        int shift = 64 - type.bits();
        return type.isSigned() ? bits << shift >> shift : bits << shift >>> shift;
    }
}
