package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.run.Launching;
import dev.tilewright.emulator.schedule.Interleaving;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * The clusters of a grid that were not launched yet. Time is that of the machine, in steps, and jumps when nobody can
 * do anything before the next event.
 */
public final class ClusterQueue {
    private static final int NEVER = -1;

    private final Interleaving order;
    private final Launching launching;
    private final List<Integer> pending = new ArrayList<>();
    /** When each of the busy SMs becomes free. */
    private final List<Long> releases = new ArrayList<>();
    /** Steps that were skipped because nobody could do anything. */
    private long skipped;
    /** When the next cluster may be launched, or {@link #NEVER} if none has found room. */
    private long nextLaunch = NEVER;
    /** Launches and answers until the kernel of higher priority comes, or {@link #NEVER}. */
    private int untilPreemption;

    private long preemptionEnds = NEVER;
    private int cancelled;

    /** All clusters, in the order in which they are launched. */
    public ClusterQueue(int[] clusters, Launching launching, Interleaving order) {
        this.order = order;
        this.launching = launching;
        Arrays.stream(clusters).forEach(pending::add);
        for (int i = 0; i < launching.busySms(); i++) {
            releases.add((long) order.choice(1 << 8 + order.choice(8)));
        }
        untilPreemption = launching.preemption() ? 1 + order.choice(Math.max(1, clusters.length)) : NEVER;
    }

    public boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Clusters that were cancelled. */
    public int cancelled() {
        return cancelled;
    }

    /** Whether anything but room decides when clusters are launched. */
    public boolean isTimed() {
        return launching != Launching.PROMPT;
    }

    /** SMs that have become free since it was asked last. */
    public int released(long steps) {
        int before = releases.size();
        releases.removeIf(at -> at <= steps + skipped);
        return before - releases.size();
    }

    /** There is room: whether a cluster may be launched there now. */
    public boolean mayLaunch(long steps) {
        long now = steps + skipped;
        if (isPreempted(now)) {
            return false;
        }
        if (nextLaunch == NEVER) {
            nextLaunch = now + (launching.latency() == 0 ? 0 : order.choice(launching.latency() + 1));
        }
        return now >= nextLaunch;
    }

    /** Takes the next cluster to launch. */
    public int launch(long steps) {
        nextLaunch = NEVER;
        countDown(steps + skipped);
        return pending.removeFirst();
    }

    /** Answers a request: the cluster that is cancelled, if one is. */
    public OptionalInt cancel(long steps) {
        long now = steps + skipped;
        boolean preempted = isPreempted(now);
        countDown(now);
        if (pending.isEmpty()
                || preempted
                || launching.spuriousFailures() > 0 && order.choice(100) < launching.spuriousFailures()) {
            return OptionalInt.empty();
        }
        cancelled++;
        return OptionalInt.of(pending.remove(order.choice(pending.size())));
    }

    private boolean isPreempted(long now) {
        return now < preemptionEnds;
    }

    private void countDown(long now) {
        if (untilPreemption > 0 && --untilPreemption == 0) {
            preemptionEnds = now + order.choice(1 << 8 + order.choice(8));
        }
    }

    /** No strand can run: advances to the next event, if there is one. */
    public boolean skip(long steps) {
        long now = steps + skipped;
        long next = Long.MAX_VALUE;
        if (!pending.isEmpty()) {
            next = isPreempted(now) ? preemptionEnds : nextLaunch > now ? nextLaunch : next;
            for (long at : releases) {
                next = Math.min(next, at);
            }
        }
        if (next <= now || next == Long.MAX_VALUE) {
            return false;
        }
        skipped += next - now;
        return true;
    }
}
