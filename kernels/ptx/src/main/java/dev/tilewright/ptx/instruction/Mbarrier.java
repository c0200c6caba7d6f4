package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.Spelled;
import java.util.Optional;

/**
 * Barriers in shared memory: 8 bytes, aligned to 8, counting arrivals and bytes. A phase completes when no arrival is
 * pending and no byte is expected; then its parity flips and the count is loaded again. Arrive anywhere in the cluster,
 * wait in the own CTA. Executed by single threads. PTX 9.7.13.15.
 */
public sealed interface Mbarrier extends Instruction {
    /** Most arrivals, and most bytes in flight, of one phase. */
    int MAX_COUNT = (1 << 20) - 1;

    @Override
    default Requirement requires() {
        return Requirement.HOPPER;
    }

    /** Makes the 8 bytes a barrier in phase 0 that expects {@code count} arrivals, 1..2^20-1. PTX 9.7.13.15.9. */
    record Init(SharedAddress barrier, Operand<B32> count) implements Mbarrier, MbarrierUse {
        public Init {
            Check.range("mbarrier.init: count", count, 1, MAX_COUNT);
        }
    }

    /** Ends the barrier, so that its bytes may serve for something else. PTX 9.7.13.15.10. */
    record Invalidate(SharedAddress barrier) implements Mbarrier, MbarrierUse {}

    /**
     * Arrives {@code count} times (1 if absent) at a barrier of the own CTA or, by a cluster address, of another.
     * Default ordering release at CTA scope; relaxed needs ISA 8.6. PTX 9.7.13.15.13, 9.7.13.15.14.
     *
     * @param drop the expected count of the next phases falls by the count too
     * @param noComplete the count must not finish the phase
     * @param state takes the state before the arrival, of a barrier of the own CTA; empty for the sink
     */
    record Arrive(
            Ordering ordering,
            boolean drop,
            boolean noComplete,
            Optional<Reg<?>> state,
            Address barrier,
            Optional<Operand<B32>> count)
            implements Mbarrier, MbarrierUse {
        public Arrive {
            Check.barrier("mbarrier.arrive", barrier);
            requireArriving("mbarrier.arrive", ordering);
            count.ifPresent(c -> Check.range("mbarrier.arrive: count", c, 1, 0xFFFFFFFFL));
        }

        /** An arrival whose state is dropped. */
        public Arrive(Ordering ordering, Address barrier, Optional<Operand<B32>> count) {
            this(ordering, false, false, Optional.empty(), barrier, count);
        }

        @Override
        public Requirement requires() {
            return relaxedSince86(ordering);
        }
    }

    /**
     * Expects {@code bytes} more in this phase, then arrives once. Bytes 0..2^20-1; {@code drop} and {@code state} as
     * of {@link Arrive}. PTX 9.7.13.15.13.
     */
    record ArriveExpectTx(Ordering ordering, boolean drop, Optional<Reg<?>> state, Address barrier, Operand<B32> bytes)
            implements Mbarrier, MbarrierUse {
        public ArriveExpectTx {
            Check.barrier("mbarrier.arrive.expect_tx", barrier);
            requireArriving("mbarrier.arrive.expect_tx", ordering);
        }

        /** An arrival whose state is dropped. */
        public ArriveExpectTx(Ordering ordering, Address barrier, Operand<B32> bytes) {
            this(ordering, false, Optional.empty(), barrier, bytes);
        }

        @Override
        public Requirement requires() {
            return relaxedSince86(ordering);
        }
    }

    /** Expects {@code bytes} more in this phase, without arriving. Relaxed; scope cta or cluster. PTX 9.7.13.15.11. */
    record ExpectTx(Ordering ordering, Address barrier, Operand<B32> bytes) implements Mbarrier, MbarrierUse {
        public ExpectTx {
            Check.barrier("mbarrier.expect_tx", barrier);
            requireRelaxed("mbarrier.expect_tx", ordering);
            Check.range("mbarrier.expect_tx: bytes", bytes, 0, MAX_COUNT);
        }
    }

    /** Counts {@code bytes} as arrived without moving any: a stand-in for an asynchronous copy. PTX 9.7.13.15.12. */
    record CompleteTx(Ordering ordering, Address barrier, Operand<B32> bytes) implements Mbarrier, MbarrierUse {
        public CompleteTx {
            Check.barrier("mbarrier.complete_tx", barrier);
            requireRelaxed("mbarrier.complete_tx", ordering);
            Check.range("mbarrier.complete_tx: bytes", bytes, 0, MAX_COUNT);
        }
    }

    /** {@code TRY_WAIT} may suspend the thread for a while, {@code TEST_WAIT} returns at once. */
    enum WaitMode implements Spelled {
        TRY_WAIT,
        TEST_WAIT
    }

    /** The phase that {@link Wait} asks for. */
    sealed interface Phase {
        /** The phase of a parity, 0 or 1: a fresh barrier answers true for 1 and false for 0. */
        record Parity(Operand<B32> parity) implements Phase {}

        /** The phase of a state that an arrival returned. */
        record State(Operand<?> state) implements Phase {}
    }

    /**
     * {@code d} = whether the phase has completed. Default acquire at CTA scope; acquire.cluster after remote writes;
     * relaxed needs ISA 8.6. {@code hint}: nanoseconds TRY_WAIT may suspend. Waiters must never fall two phases behind.
     * PTX 9.7.13.15.16.
     */
    record Wait(
            WaitMode mode,
            Ordering ordering,
            Reg<Pred> d,
            SharedAddress barrier,
            Phase phase,
            Optional<Operand<B32>> hint)
            implements Mbarrier, MbarrierUse, Irregular {
        public Wait {
            Check.that(
                    ordering.sem() == Sem.WEAK || ordering.sem() == Sem.ACQUIRE || ordering.sem() == Sem.RELAXED,
                    "mbarrier." + mode.ptx() + ": ordering must be acquire or relaxed",
                    ordering.sem());
            if (phase instanceof Phase.Parity(Operand<B32> parity)) {
                Check.range("mbarrier." + mode.ptx() + ": parity", parity, 0, 1);
            }
            Check.that(mode == WaitMode.TRY_WAIT || hint.isEmpty(), "mbarrier.test_wait: takes no suspend hint", hint);
        }

        /** A wait for the phase of a parity. */
        public Wait(
                WaitMode mode,
                Ordering ordering,
                Reg<Pred> d,
                SharedAddress barrier,
                Operand<B32> parity,
                Optional<Operand<B32>> hint) {
            this(mode, ordering, d, barrier, new Phase.Parity(parity), hint);
        }

        /** The parity, if one is waited for. */
        public Optional<Operand<B32>> parity() {
            return phase instanceof Phase.Parity(Operand<B32> parity) ? Optional.of(parity) : Optional.empty();
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
            visitor.aligned("mbarrier." + mode.ptx() + ": barrier", barrier, 8);
            visitor.address(barrier);
            switch (phase) {
                case Phase.Parity p -> visitor.read(p.parity(), ScalarType.U32);
                case Phase.State p -> visitor.read(p.state(), ScalarType.B64);
            }
            hint.ifPresent(h -> visitor.read(h, ScalarType.U32));
        }

        @Override
        public Requirement requires() {
            return relaxedSince86(ordering);
        }
    }

    /** {@code d} = the arrivals that were pending in the state. PTX 9.7.13.15.17. */
    record PendingCount(Reg<?> d, Operand<?> state) implements Mbarrier {}

    /**
     * {@code mapa}: {@code d} = the same shared address in CTA {@code rank} of the cluster. Both addresses are
     * {@code generic} ones of 64 bits, or 32 bits in shared memory. PTX 9.7.9.23, sm_90.
     */
    record MapToRank(boolean generic, Reg<?> d, Operand<?> address, Operand<B32> rank) implements Mbarrier, Irregular {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, addressType(generic));
            visitor.read(address, addressType(generic));
            visitor.within("mapa: rank", rank, 0, 15);
            visitor.read(rank, ScalarType.U32);
        }
    }

    /**
     * {@code getctarank}: {@code d} = the rank in the cluster of the CTA that an address lies in: a {@code generic} one
     * of 64 bits, or one of 32 bits in shared::cluster. PTX 9.7.9.24, sm_90.
     */
    record RankOf(boolean generic, Reg<?> d, Operand<?> address) implements Mbarrier, Irregular {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U32);
            visitor.read(address, addressType(generic));
        }
    }

    /**
     * Makes the inits of this thread visible to the cluster; before the CTA or cluster barrier. PTX 9.7.13.4, sm_90.
     */
    record FenceInit() implements Mbarrier {}

    private static ScalarType addressType(boolean generic) {
        return generic ? ScalarType.U64 : ScalarType.U32;
    }

    private static void requireArriving(String mnemonic, Ordering ordering) {
        Check.that(
                ordering.sem() == Sem.WEAK || ordering.sem() == Sem.RELEASE || ordering.sem() == Sem.RELAXED,
                mnemonic + ": ordering must be release or relaxed",
                ordering.sem());
    }

    private static void requireRelaxed(String mnemonic, Ordering ordering) {
        Check.that(ordering.sem() == Sem.RELAXED, mnemonic + ": ordering must be relaxed", ordering.sem());
    }

    private static Requirement relaxedSince86(Ordering ordering) {
        return ordering.sem() == Sem.RELAXED ? Requirement.isa(8, 6) : Requirement.HOPPER;
    }
}
