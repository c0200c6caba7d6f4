package dev.tilewright.emulator.barrier;

import dev.tilewright.emulator.order.MeetingOrder;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.List;

/** The barrier of all threads of a cluster that have not exited. PTX 9.7.13.3. */
public final class ClusterBarrier {
    private final MeetingOrder order = new MeetingOrder(Scope.CLUSTER);
    private final List<Runnable> waiters = new ArrayList<>();
    private int threads;
    private int arrived;
    private int phase;

    public ClusterBarrier(int threads) {
        this.threads = threads;
    }

    /** Completed phases. */
    public int phase() {
        return phase;
    }

    public void arrive(int count) {
        arrived += count;
        completeIfDone();
    }

    /** Threads exit; those that had arrived in this phase no longer count as arrived. */
    public void exit(int count, int hadArrived) {
        threads -= count;
        arrived -= hadArrived;
        completeIfDone();
    }

    private void completeIfDone() {
        if (arrived == threads && threads > 0) {
            arrived = 0;
            phase++;
            order.complete();
            List<Runnable> woken = List.copyOf(waiters);
            waiters.clear();
            woken.forEach(Runnable::run);
        }
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
        return "the cluster barrier in phase " + phase + " with " + arrived + " of " + threads + " threads arrived";
    }
}
