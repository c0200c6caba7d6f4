package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;
import java.util.Optional;

/**
 * Values exchanged over the lanes of a warp or the threads of a CTA, and fences, beside {@link Barrier}. PTX 9.7.13.
 */
public sealed interface WarpExchange extends Instruction {

    /** {@code match.any}: d = the lanes of the mask that have the same a. b32 or b64. */
    record MatchAny(ScalarType type, Reg<?> d, Operand<?> a, Operand<B32> mask) implements WarpExchange {}

    /** {@code match.all}: d = the mask if all its lanes have the same a, else 0; {@code all} says which. b32 or b64. */
    record MatchAll(ScalarType type, Reg<?> d, Optional<Reg<Pred>> all, Operand<?> a, Operand<B32> mask)
            implements WarpExchange {}

    /** The operation of {@link Reduce}. */
    enum ReduceOperation implements Spelled {
        ADD,
        MIN,
        MAX,
        AND,
        OR,
        XOR;

        boolean bitwise() {
            return compareTo(AND) >= 0;
        }
    }

    /** {@code redux.sync}: d = a of all lanes of the mask. add, min, max of u32 or s32; and, or, xor of b32. */
    record Reduce(ReduceOperation operation, ScalarType type, Reg<?> d, Operand<?> a, Operand<B32> mask)
            implements WarpExchange {
        public Reduce {
            Check.that(
                    type.bits() == 32 && (operation.bitwise() ? type.isBits() : type.isInteger()),
                    "redux." + operation.ptx() + ": type not allowed",
                    "." + type.ptx());
        }
    }

    /** {@code activemask}: d = the lanes that execute it together now. */
    record ActiveMask(Reg<?> d) implements WarpExchange {}

    /** {@code barrier.red.popc}: a barrier of the CTA; d = how many of its threads have p (or not p). */
    record BarrierCount(
            boolean aligned, Reg<?> d, Operand<B32> id, Optional<Operand<B32>> threads, Reg<Pred> p, boolean negated)
            implements WarpExchange {
        public BarrierCount {
            Check.range("barrier.red: id", id, 0, 15);
        }
    }

    /** {@code barrier.red.and} and {@code .or}: a barrier of the CTA; d = whether all, or any, have p (or not p). */
    record BarrierVote(
            BooleanOperation operation,
            boolean aligned,
            Reg<Pred> d,
            Operand<B32> id,
            Optional<Operand<B32>> threads,
            Reg<Pred> p,
            boolean negated)
            implements WarpExchange {
        public BarrierVote {
            Check.that(operation != BooleanOperation.XOR, "barrier.red: operation must be and or or", operation);
            Check.range("barrier.red: id", id, 0, 15);
        }
    }

    /** {@code fence.proxy.alias}: orders accesses to one memory by different virtual addresses. */
    record AliasFence() implements WarpExchange {}
}
