package dev.tilewright.emulator.barrier;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.order.MeetingOrder;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.List;

/** One of the 16 barriers of a CTA: completes when as many threads have arrived as its users say. PTX 9.7.13.1. */
public final class NamedBarrier {
    private final int id;
    private final MeetingOrder order = new MeetingOrder(Scope.CTA);
    private final List<Runnable> waiters = new ArrayList<>();
    private int arrived;
    private int threads;
    private boolean ofAll;

    public NamedBarrier(int id) {
        this.id = id;
    }

    /**
     * Counts arrivals.
     *
     * @param count threads that arrive
     * @param total threads that complete the barrier
     * @param all whether that is all threads of the CTA, so that those which exit are no longer awaited
     * @return whether that completed it
     */
    public boolean arrive(int count, int total, boolean all) {
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
        return completeIf(arrived == total);
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
            order.complete();
            List<Runnable> woken = List.copyOf(waiters);
            waiters.clear();
            woken.forEach(Runnable::run);
        }
        return done;
    }

    /** What flows through it. */
    public MeetingOrder order() {
        return order;
    }

    public void whenComplete(Runnable waiter) {
        waiters.add(waiter);
    }

    @Override
    public String toString() {
        return "named barrier " + id + " with " + arrived + " of " + threads + " threads arrived";
    }
}
