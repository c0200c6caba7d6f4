package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.barrier.ClusterBarrier;
import dev.tilewright.emulator.barrier.NamedBarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.launch.GridAhead;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.RegisterPool;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.order.FenceClock;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Barrier.CtaAction;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import java.util.Optional;

/**
 * Barriers of CTA, warp and cluster, fences, setmaxnreg; exchange within a warp is in {@link ExchangeOperations}. PTX
 * 9.7.13.
 */
public final class BarrierOperations {
    private BarrierOperations() {}

    public static Operation decode(Barrier instruction, Operands operands) {
        return switch (instruction) {
            case Barrier.CtaBarrier i -> ctaBarrier(i, operands);
            case Barrier.WarpBarrier i -> warpBarrier(operands.value(i.mask()));
            case Barrier.ClusterBarrier i ->
                switch (i.action()) {
                    case ARRIVE -> clusterArrive(i.aligned(), i.sem() != Sem.RELAXED);
                    case WAIT -> clusterWait(i.aligned());
                };
            case Barrier.ThreadFence i -> threadFence(i.sem(), i.scope());
            case Barrier.RestrictedFence i -> LaunchControlOperations.decode(i);
            case Barrier.ProxyFence i ->
                switch (i.space()) {
                    case ALL -> proxyFence(true, true);
                    case SHARED_CTA, SHARED_CLUSTER -> proxyFence(true, false);
                    case GLOBAL -> proxyFence(false, true);
                };
            case Barrier.Elect i -> ExchangeOperations.elect(i, operands);
            case Barrier.Shuffle i -> ExchangeOperations.shuffle(i, operands);
            case Barrier.Vote i ->
                ExchangeOperations.vote(
                        i.mode(),
                        operands.predicate(i.d()),
                        operands.predicate(i.p()),
                        i.negated(),
                        operands.value(i.mask()));
            case Barrier.Ballot i ->
                ExchangeOperations.ballot(
                        operands.target(i.d()), operands.predicate(i.p()), i.negated(), operands.value(i.mask()));
            case Barrier.SetMaxRegisters i -> setMaxRegisters(i.increase(), i.count());
            case Barrier.GridDependency i ->
                switch (i.action()) {
                    case WAIT -> BarrierOperations::awaitGridAhead;
                    // Who comes behind this launch is none of its own affair: it waits, or is at fault itself.
                    case LAUNCH_DEPENDENTS -> (strand, mask) -> Outcome.NEXT;
                };
            case Barrier.Nanosleep _ -> (strand, mask) -> Outcome.NEXT;
        };
    }

    /** A launch without overlap has no grid ahead of it. */
    private static Outcome awaitGridAhead(Strand strand, int mask) {
        GridAhead ahead = strand.device().ahead();
        if (ahead == null) {
            return Outcome.NEXT;
        }
        if (ahead.hasEnded()) {
            ahead.awaited(strand.warp().order(), mask);
            return Outcome.NEXT;
        }
        ahead.whenEnded(strand.waker());
        strand.sleep(() -> "waits for the end of the grid ahead");
        return Outcome.RETRY;
    }

    /** The inits of barriers are among what it makes visible. */
    static Operation threadFence(Sem sem, Scope scope) {
        return Lanes.inside((strand, lane) -> {
            Warp warp = strand.warp();
            if (sem != Sem.ACQUIRE) {
                strand.cluster().fences().fenceInit(warp.clusterThread(lane));
            }
            warp.order().fence(lane, sem, scope);
        });
    }

    private static Operation proxyFence(boolean shared, boolean global) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            if (shared) {
                fenceInits(strand, mask);
            }
            strand.at(Integer.numberOfTrailingZeros(mask));
            warp.order().fenceProxy(mask, shared, global, strand.origin().evidence());
            return Outcome.NEXT;
        };
    }

    /** Requires that all lanes of the warp that live execute the instruction together. */
    static void requireWhole(Strand strand, int mask, String what) {
        int missing = strand.warp().alive() & ~mask;
        if (missing != 0) {
            throw new HazardFound(new Hazard.Divergent(what + " without lane " + Integer.numberOfTrailingZeros(missing)
                    + " (lanes 0x" + Integer.toHexString(mask) + ")"));
        }
    }

    private static Operation ctaBarrier(Barrier.CtaBarrier i, Operands operands) {
        SourceOperand id = operands.value(i.id());
        Optional<SourceOperand> threads = i.threads().map((Operand<?> t) -> operands.value(t));
        boolean waits = i.action() == CtaAction.SYNC;
        return (strand, mask) -> {
            NamedBarrier barrier = barrier(strand, mask, i.aligned(), id);
            boolean complete = arrive(barrier, strand, mask, threads);
            if (!waits) {
                return Outcome.NEXT;
            }
            if (complete) {
                barrier.order().acquire(strand.warp().order(), mask);
                return Outcome.NEXT;
            }
            Runnable waker = strand.waker();
            barrier.whenComplete(() -> {
                barrier.order().acquire(strand.warp().order(), mask);
                waker.run();
            });
            strand.sleep(() -> missing(barrier, strand));
            return Outcome.SLEEP;
        };
    }

    private static void fenceInits(Strand strand, int mask) {
        FenceClock fences = strand.cluster().fences();
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            fences.fenceInit(strand.warp().clusterThread(Integer.numberOfTrailingZeros(rest)));
        }
    }

    private static void meet(Strand strand, int mask) {
        FenceClock fences = strand.cluster().fences();
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            fences.meet(strand.warp().clusterThread(Integer.numberOfTrailingZeros(rest)));
        }
    }

    private static NamedBarrier barrier(Strand strand, int mask, boolean aligned, SourceOperand id) {
        if (aligned) {
            requireWhole(strand, mask, "an aligned barrier");
        }
        int first = Integer.numberOfTrailingZeros(mask);
        strand.at(first);
        int number = id.word(strand.warp(), first);
        if (number < 0 || number > 15) {
            throw new HazardFound(new Hazard.BadOperand("named barriers are 0..15, got " + number));
        }
        return strand.cta().named(number);
    }

    /** Arrives; whether that completed the barrier. */
    private static boolean arrive(NamedBarrier barrier, Strand strand, int mask, Optional<SourceOperand> threads) {
        meet(strand, mask);
        barrier.order().arrive(strand.warp().order(), mask);
        if (threads.isEmpty()) {
            return barrier.arrive(
                    Integer.bitCount(mask),
                    strand.cta().threads(),
                    strand.warp().index(),
                    true);
        }
        Warp warp = strand.warp();
        int total = threads.get().word(warp, Integer.numberOfTrailingZeros(mask));
        if (total % Warp.LANES != 0) {
            throw new HazardFound(
                    new Hazard.BadOperand("the threads of a barrier must be a multiple of 32, got " + total));
        }
        // Counts are of warps: lanes that have exited, or never were, arrive with the others of theirs.
        boolean whole = mask == warp.alive();
        return barrier.arrive(whole ? Warp.LANES : Integer.bitCount(mask), total, warp.index(), false);
    }

    private static String missing(NamedBarrier barrier, Strand strand) {
        return barrier + "; " + strand.program().arrivals().atNamed(barrier.id());
    }

    /** Tells lanes the result of the votes of a barrier. */
    @FunctionalInterface
    interface Ballot {
        /** The lanes of the mask learn that {@code yes} of {@code all} threads said yes. */
        void tell(Strand strand, int mask, int yes, int all);
    }

    /** barrier.red: the barrier completes, and each of its threads learns how all have voted. */
    static Operation vote(
            boolean aligned,
            SourceOperand id,
            Optional<SourceOperand> threads,
            int predicate,
            boolean not,
            Ballot ballot) {
        return (strand, mask) -> {
            NamedBarrier barrier = barrier(strand, mask, aligned, id);
            Warp warp = strand.warp();
            int votes = (not ? ~warp.predicates[predicate] : warp.predicates[predicate]) & mask;
            barrier.vote(Integer.bitCount(votes), Integer.bitCount(mask));
            if (arrive(barrier, strand, mask, threads)) {
                barrier.order().acquire(warp.order(), mask);
                ballot.tell(strand, mask, barrier.lastYes(), barrier.lastVotes());
                return Outcome.NEXT;
            }
            int[] written = strand.instr().writes;
            Runnable waker = strand.waker();
            barrier.whenComplete(() -> {
                barrier.order().acquire(warp.order(), mask);
                ballot.tell(strand, mask, barrier.lastYes(), barrier.lastVotes());
                warp.define(written, mask);
                waker.run();
            });
            strand.sleep(() -> missing(barrier, strand));
            return Outcome.SLEEP;
        };
    }

    /** Lanes wait for those that their mask names, wherever these run; those of other masks go on by themselves. */
    private static Operation warpBarrier(SourceOperand members) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            int named = members.word(warp, Integer.numberOfTrailingZeros(mask));
            int group = ExchangeOperations.naming(warp, mask, members, named);
            if (group != mask) {
                strand.part(group);
                return Outcome.PART;
            }
            if ((mask & ~named) != 0) {
                throw new HazardFound(new Hazard.Divergent("bar.warp.sync by a lane that its mask does not name"));
            }
            meet(strand, mask);
            if (warp.meeting().arrive(mask, named)) {
                return Outcome.NEXT;
            }
            warp.meeting().whenComplete(named, strand.waker());
            strand.sleep(() -> "lanes 0x" + Integer.toHexString(named) + " at bar.warp.sync");
            return Outcome.SLEEP;
        };
    }

    private static Operation clusterArrive(boolean aligned, boolean releases) {
        return (strand, mask) -> {
            if (aligned) {
                requireWhole(strand, mask, "barrier.cluster.arrive.aligned");
            }
            Warp warp = strand.warp();
            ClusterBarrier barrier = strand.cluster().barrier();
            if ((warp.clusterArrived() & mask) != 0) {
                throw new HazardFound(new Hazard.BarrierMisuse(
                        barrier.toString(), "barrier.cluster.arrive twice without a wait between"));
            }
            if (releases) {
                barrier.order().arrive(warp.order(), mask);
                fenceInits(strand, mask);
            } else {
                barrier.order().arriveRelaxed(warp.order(), mask, strand.access());
            }
            warp.arriveAtCluster(mask, barrier.phase());
            barrier.arrive(Integer.bitCount(mask));
            return Outcome.NEXT;
        };
    }

    private static Operation clusterWait(boolean aligned) {
        return (strand, mask) -> {
            if (aligned) {
                requireWhole(strand, mask, "barrier.cluster.wait.aligned");
            }
            Warp warp = strand.warp();
            ClusterBarrier barrier = strand.cluster().barrier();
            if ((warp.clusterArrived() & mask) != mask) {
                throw new HazardFound(
                        new Hazard.BarrierMisuse(barrier.toString(), "barrier.cluster.wait without an arrive before"));
            }
            if (barrier.phase() > warp.clusterPhase()) {
                barrier.order().acquire(warp.order(), mask);
                warp.passCluster(mask);
                return Outcome.NEXT;
            }
            barrier.whenComplete(strand.waker());
            strand.sleep(barrier::toString);
            return Outcome.RETRY;
        };
    }

    private static Operation setMaxRegisters(boolean increase, int count) {
        return (strand, mask) -> {
            requireWhole(strand, mask, "setmaxnreg");
            Warp warp = strand.warp();
            Cta cta = strand.cta();
            int owned = warp.registersPerThread();
            // Where nothing says how many registers a thread has at the start, it has no effect: PTX 9.7.19.5.
            if (!strand.program().entry().launch().boundsRegisters()) {
                return Outcome.NEXT;
            }
            if (increase ? count < owned : count > owned) {
                throw new HazardFound(new Hazard.RegisterPool((increase ? "inc" : "dec") + " to " + count
                        + " of a warp that owns " + owned + " registers a thread"));
            }
            RegisterPool pool = cta.registers();
            int difference = (count - owned) * Warp.LANES;
            if (difference <= 0) {
                pool.give(-difference);
            } else if (!pool.take(difference)) {
                pool.whenGiven(strand.waker());
                strand.sleep(() -> difference + " registers, of which the CTA's pool has " + pool.free());
                return Outcome.RETRY;
            }
            cta.warpgroup(warp).changeRegisters(warp, strand.instr().pc);
            warp.registersPerThread(count);
            return Outcome.NEXT;
        };
    }
}
