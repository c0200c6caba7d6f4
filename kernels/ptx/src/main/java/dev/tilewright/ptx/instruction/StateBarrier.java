package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Mbarrier.WaitMode;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Barriers in shared memory by the state that an arrival gives, beside {@link Mbarrier}. PTX 9.7.13.15. */
public sealed interface StateBarrier extends Ordinary {
    @Override
    default Requirement requires() {
        return Requirement.HOPPER;
    }

    /**
     * {@code mbarrier.arrive} that gives the state before the arrival.
     *
     * @param drop the expected count of the next phases falls by the count too
     * @param noComplete the count must not finish the phase
     * @param state empty for the sink: needs drop, the rest is {@link Mbarrier.Arrive}
     */
    record Arrive(
            Ordering ordering,
            boolean drop,
            boolean noComplete,
            Optional<Reg<?>> state,
            Address barrier,
            Optional<Operand<B32>> count)
            implements StateBarrier, MbarrierUse {
        public Arrive {
            Check.that(drop || noComplete || state.isPresent(), "mbarrier.arrive: without a state is another", state);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            state.ifPresent(r -> visitor.write(r, ScalarType.B64));
            visitor.address(barrier, barrier.space());
            count.ifPresent(c -> visitor.read(c, ScalarType.U32));
        }
    }

    /** {@code mbarrier.arrive.expect_tx} that gives the state before the arrival. */
    record ArriveExpectTx(Ordering ordering, boolean drop, Optional<Reg<?>> state, Address barrier, Operand<B32> bytes)
            implements StateBarrier, MbarrierUse {
        public ArriveExpectTx {
            Check.that(drop || state.isPresent(), "mbarrier.arrive.expect_tx: without a state is another", state);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            state.ifPresent(r -> visitor.write(r, ScalarType.B64));
            visitor.address(barrier, barrier.space());
            visitor.read(bytes, ScalarType.U32);
        }
    }

    /** {@code d} = whether the phase of the state has completed. */
    record Wait(
            WaitMode mode,
            Ordering ordering,
            Reg<Pred> d,
            Address barrier,
            Operand<?> state,
            Optional<Operand<B32>> hint)
            implements StateBarrier, MbarrierUse {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.address(barrier, barrier.space());
            visitor.read(state, ScalarType.B64);
            hint.ifPresent(h -> visitor.read(h, ScalarType.U32));
        }
    }

    /** {@code d} = the arrivals that were pending in the state. */
    record PendingCount(Reg<?> d, Operand<?> state) implements StateBarrier {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U32);
            visitor.read(state, ScalarType.B64);
        }
    }

    /** {@code mapa.u64}: the generic address of the same place in CTA {@code rank} of the cluster. */
    record MapGenericToRank(Reg<?> d, Operand<?> address, Operand<B32> rank) implements StateBarrier {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U64);
            visitor.read(address, ScalarType.U64);
            visitor.read(rank, ScalarType.U32);
        }
    }

    /**
     * {@code getctarank}: the rank in the cluster of the CTA that an address lies in; {@code generic}: a generic one of
     * 64 bits, otherwise a shared::cluster one of 32.
     */
    record RankOf(boolean generic, Reg<?> d, Operand<?> address) implements StateBarrier {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U32);
            visitor.read(address, generic ? ScalarType.U64 : ScalarType.U32);
        }
    }
}
