package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.Spelled;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Optional;

/**
 * Synchronisation of threads without memory objects: barriers, fences, warp-wide exchange. PTX 9.7.13, 9.7.9, 9.7.19.
 */
public sealed interface Barrier extends Instruction {

    /** Arrive and wait, or arrive alone. */
    enum CtaAction implements Spelled {
        SYNC,
        ARRIVE
    }

    /**
     * Named barrier 0..15 of the CTA ({@code barrier.cta}): completes when {@code threads} threads have arrived (all of
     * the CTA if absent). {@code threads} is a multiple of the warp size; arrive must have it. A warp counts as a
     * whole. Orders memory at CTA scope. {@code aligned}: all threads of the warp execute it together. PTX 9.7.13.1,
     * ISA 7.8.
     */
    record CtaBarrier(CtaAction action, boolean aligned, Operand<B32> id, Optional<Operand<B32>> threads)
            implements Barrier {
        public CtaBarrier {
            Check.range("barrier.cta: id", id, 0, 15);
            threads.ifPresent(t -> {
                Check.range("barrier.cta: threads", t, 32, 1024);
                if (t instanceof Immediate<?> constant) {
                    Check.multiple("barrier.cta: threads", constant.unsigned(), 32);
                }
            });
            Check.that(
                    action == CtaAction.SYNC || threads.isPresent(),
                    "barrier.cta.arrive: needs a thread count",
                    "none");
        }
    }

    /** {@code bar.warp.sync}: the lanes of the mask wait for each other. PTX 9.7.13.2. */
    record WarpBarrier(Operand<B32> mask) implements Barrier {}

    /** The two halves of the cluster barrier. */
    enum ClusterAction implements Spelled {
        ARRIVE,
        WAIT
    }

    /**
     * Barrier over all threads of the cluster. Arrive: weak = default (release), relaxed or release; wait: weak =
     * default (acquire) or acquire. Every thread alternates arrive and wait. Exited threads count as arrived. PTX
     * 9.7.13.3, sm_90.
     */
    record ClusterBarrier(ClusterAction action, Sem sem, boolean aligned) implements Barrier {
        public ClusterBarrier {
            boolean legal = sem == Sem.WEAK
                    || (action == ClusterAction.ARRIVE ? sem == Sem.RELAXED || sem == Sem.RELEASE : sem == Sem.ACQUIRE);
            Check.that(legal, "barrier.cluster." + action.ptx() + ": ordering not allowed", sem);
        }

        @Override
        public Requirement requires() {
            return Requirement.HOPPER;
        }
    }

    /**
     * {@code fence.sem.scope}: orders the thread's own accesses; sem acq_rel, sc, or since PTX ISA 8.6 acquire or
     * release alone. PTX 9.7.13.4.
     */
    record ThreadFence(Sem sem, Scope scope) implements Barrier {
        public ThreadFence {
            Check.that(
                    sem == Sem.ACQ_REL || sem == Sem.SC || sem == Sem.ACQUIRE || sem == Sem.RELEASE,
                    "fence: ordering must be acq_rel, sc, acquire or release",
                    sem);
            Check.that(scope != Scope.NONE, "fence: needs a scope", scope);
        }

        @Override
        public Requirement requires() {
            if (sem == Sem.ACQUIRE || sem == Sem.RELEASE) {
                return Requirement.isa(8, 6);
            }
            return scope == Scope.CLUSTER ? Requirement.HOPPER : Requirement.BASE;
        }
    }

    /**
     * {@code fence.sync_restrict} at cluster scope: acquire for objects in shared memory of the cluster, release for
     * those of the own CTA; {@code async}: between the generic and the asynchronous proxy.
     */
    record RestrictedFence(Sem sem, boolean async) implements Barrier {
        public RestrictedFence {
            Check.that(sem == Sem.ACQUIRE || sem == Sem.RELEASE, "fence: ordering must be acquire or release", sem);
        }

        /** The only scope. */
        public Scope scope() {
            return Scope.CLUSTER;
        }

        /** The objects it is for. */
        public StateSpace space() {
            return sem == Sem.ACQUIRE ? StateSpace.SHARED_CLUSTER : StateSpace.SHARED;
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(8, 6);
        }
    }

    /** The memory whose generic and asynchronous accesses {@link ProxyFence} orders. */
    enum ProxyFenceSpace implements Spelled {
        ALL(""),
        GLOBAL(".global"),
        SHARED_CTA(".shared::cta"),
        SHARED_CLUSTER(".shared::cluster");

        private final String ptx;

        ProxyFenceSpace(String ptx) {
            this.ptx = ptx;
        }

        @Override
        public String ptx() {
            return ptx;
        }
    }

    /**
     * {@code fence.proxy.async}: makes the thread's own writes visible to TMA, wgmma and other asynchronous readers,
     * and orders both ways. Executed by every writing thread before the barrier that hands over. PTX 9.7.13.4, sm_90.
     */
    record ProxyFence(ProxyFenceSpace space) implements Barrier {
        @Override
        public Requirement requires() {
            return Requirement.HOPPER;
        }
    }

    /** {@code elect.sync}: d is true in one lane of the mask, always the same. Whole warp. PTX 9.7.13.14, sm_90. */
    record Elect(Optional<Reg<B32>> lane, Reg<Pred> d, Operand<B32> mask) implements Barrier {
        @Override
        public Requirement requires() {
            return Requirement.HOPPER;
        }
    }

    /** How {@link Shuffle} picks the source lane. */
    enum ShuffleMode implements Spelled {
        IDX,
        UP,
        DOWN,
        BFLY
    }

    /**
     * {@code d} = a of another lane: lane b, lane-b, lane+b or lane^b; c packs clamp (bits 0-4, 31 for the whole warp,
     * 0 for up) and segment mask (bits 8-12). {@code valid}: the source was in range. 32 bits per lane. PTX 9.7.9.6.
     */
    record Shuffle(
            ShuffleMode mode,
            Reg<?> d,
            Optional<Reg<Pred>> valid,
            Operand<?> a,
            Operand<B32> b,
            Operand<B32> c,
            Operand<B32> mask)
            implements Barrier {
        public Shuffle {
            Check.range("shfl: c", c, 0, 0x1f1f);
        }
    }

    /** The result that {@link Vote} computes over the lanes of the mask. */
    enum VoteMode implements Spelled {
        ALL,
        ANY,
        UNI
    }

    /** {@code d} = all, any or uniformity of p, or of not p, over the lanes of the mask. PTX 9.7.13.9. */
    record Vote(VoteMode mode, Reg<Pred> d, Reg<Pred> p, boolean negated, Operand<B32> mask) implements Barrier {}

    /** {@code d} = one bit per lane of the mask: its p, or not p. PTX 9.7.13.9. */
    record Ballot(Reg<B32> d, Reg<Pred> p, boolean negated, Operand<B32> mask) implements Barrier {}

    /**
     * {@code setmaxnreg}: the registers per thread of a whole warpgroup from now on; inc blocks until the SM has them
     * free. Count 24..256, a multiple of 8. Only on "a" targets, and only with .maxntid and .minnctapersm, or .maxnreg.
     * PTX 9.7.19.5.
     */
    record SetMaxRegisters(boolean increase, int count) implements Barrier {
        public SetMaxRegisters {
            Check.range("setmaxnreg: count", count, 24, 256);
            Check.multiple("setmaxnreg: count", count, 8);
        }

        @Override
        public Requirement requires() {
            return Requirement.HOPPER_FAMILY;
        }
    }

    /** Programmatic dependent launch. */
    enum GridDependencyAction implements Spelled {
        /** Block until the grids before have finished and their writes are visible. */
        WAIT,
        /** This CTA does not mind if the next grid starts. */
        LAUNCH_DEPENDENTS
    }

    /** {@code griddepcontrol}; does nothing unless the launch asked for overlap. PTX 9.7.13.13, sm_90. */
    record GridDependency(GridDependencyAction action) implements Barrier {
        @Override
        public Requirement requires() {
            return Requirement.HOPPER;
        }
    }

    /** Sleeps for between 0 and twice the given nanoseconds (at most 1 ms). PTX 9.7.19.2. */
    record Nanosleep(Operand<B32> nanoseconds) implements Barrier {
        public Nanosleep {
            Check.range("nanosleep: nanoseconds", nanoseconds, 0, 1_000_000);
        }
    }
}
