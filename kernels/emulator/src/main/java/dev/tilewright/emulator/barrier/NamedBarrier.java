package dev.tilewright.emulator.barrier;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.order.MeetingOrder;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One of the 16 barriers of a CTA. It completes when the number of threads that its users name has arrived. PTX
 * 9.7.13.1.
 */
public final class NamedBarrier {
    private final int id;
    private final MeetingOrder order = new MeetingOrder(Scope.CTA);
    private final List<Runnable> waiters = new ArrayList<>();
    /** Warps of which threads have arrived. */
    private final BitSet warps = new BitSet();

    private int arrived;
    private int threads;
    private boolean ofAll;
    private int yes;
    private int votes;
    private int lastYes;
    private int lastVotes;

    public NamedBarrier(int id) {
        this.id = id;
    }

    /**
     * Counts arrivals.
     *
     * @param count threads that arrive
     * @param total threads that complete the barrier
     * @param warp of the CTA to which they belong
     * @param all whether that is all threads of the CTA, so that those which exit are no longer awaited
     * @return whether that completed it
     */
    public boolean arrive(int count, int total, int warp, boolean all) {
        if (arrived > 0 && threads != total) {
            throw new HazardFound(new Hazard.BarrierMisuse(
                    toString(), "arrival for " + total + " threads at a barrier that others use for " + threads));
        }
        threads = total;
        ofAll = all;
        if (arrived + count > total) {
            throw new HazardFound(
                    new Hazard.BarrierMisuse(toString(), count + " more threads arrive than are awaited"));
        }
        arrived += count;
        warps.set(warp);
        return completeIf(arrived == total);
    }

    /** Threads that are about to arrive vote. */
    public void vote(int saying, int of) {
        yes += saying;
        votes += of;
    }

    /** How many said yes when it last completed. */
    public int lastYes() {
        return lastYes;
    }

    /** How many voted when it last completed. */
    public int lastVotes() {
        return lastVotes;
    }

    /** Threads have exited; so many are left in the CTA. */
    public void shrink(int total) {
        if (arrived > 0 && ofAll) {
            threads = total;
            completeIf(arrived == total);
        }
    }

    private boolean completeIf(boolean done) {
        if (done) {
            arrived = 0;
            warps.clear();
            lastYes = yes;
            lastVotes = votes;
            yes = 0;
            votes = 0;
            order.complete();
            List<Runnable> woken = List.copyOf(waiters);
            waiters.clear();
            woken.forEach(Runnable::run);
        }
        return done;
    }

    /** Its number in the CTA. */
    public int id() {
        return id;
    }

    /** The happens-before order that the barrier passes on. */
    public MeetingOrder order() {
        return order;
    }

    public void whenComplete(Runnable waiter) {
        waiters.add(waiter);
    }

    @Override
    public String toString() {
        return "named barrier " + id + " with " + arrived + " of " + threads + " threads arrived"
                + (warps.isEmpty()
                        ? ""
                        : ", of warps "
                                + warps.stream().mapToObj(String::valueOf).collect(Collectors.joining(" ")));
    }
}
