package dev.tilewright.emulator.async;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Agent;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.order.WarpOrder;
import dev.tilewright.emulator.warp.CtaCoordinates;
import dev.tilewright.emulator.warp.Origin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bulk groups of the threads of a warp. */
public final class BulkGroups {
    /** Most groups that a wait may leave pending, with room. */
    private static final int MAX_PENDING = 128;

    private static final int LANES = 32;

    private static final class OfThread {
        private List<BulkStore> open = new ArrayList<>();
        private final Deque<List<BulkStore>> committed = new ArrayDeque<>();
        private final Agent reads;
        private final Agent writes;
        /** Groups committed so far. */
        private int groups;

        OfThread(Agent reads, Agent writes) {
            this.reads = reads;
            this.writes = writes;
        }
    }

    private final CtaCoordinates cta;
    private final int warp;
    private final WarpOrder order;
    private final Order happensBefore;
    private final Map<Integer, OfThread> threads = new HashMap<>();
    /** How often each lane has issued a store, and at the end the most that any has. */
    private final Map<Object, int[]> issued = new HashMap<>();

    /** The bulk groups of a warp that has issued no bulk store. */
    public BulkGroups(CtaCoordinates cta, int warp, WarpOrder order, Order happensBefore) {
        this.cta = cta;
        this.warp = warp;
        this.order = order;
        this.happensBefore = happensBefore;
    }

    private OfThread of(int lane) {
        return threads.computeIfAbsent(lane, unused -> {
            int cluster = cta.cluster().id();
            int id = cta.id();
            String name = "its thread (CTA " + id + ", warp " + warp + ", lane " + lane + ")";
            return new OfThread(
                    happensBefore.agent(Agent.Kind.BULK_READS, cluster, id, name),
                    happensBefore.agent(Agent.Kind.BULK_WRITES, cluster, id, name));
        });
    }

    /** The reading of a store that joins the open group. */
    Access reading(Origin store) {
        OfThread thread = of(store.lane());
        return new Access(thread.reads, thread.groups + 1, store.manner(), store.evidence());
    }

    /** The writing of a store that joins the open group. */
    Access writing(Origin store) {
        OfThread thread = of(store.lane());
        return new Access(thread.writes, thread.groups + 1, store.manner(), store.evidence());
    }

    /**
     * Whether another lane has issued the same store as often as this one has now: whole warps do so, and which of
     * equal bytes come last does not matter. Lanes may run apart, so that other things may lie between.
     */
    public boolean repeats(int lane, Object store) {
        int[] times = issued.computeIfAbsent(store, _ -> new int[LANES + 1]);
        boolean again = ++times[lane] <= times[LANES];
        times[LANES] = Math.max(times[LANES], times[lane]);
        return again;
    }

    /** A store joins the open group. */
    public void add(int lane, BulkStore store) {
        of(lane).open.add(store);
    }

    public void commit(int lane) {
        OfThread thread = of(lane);
        thread.committed.addLast(thread.open);
        thread.open = new ArrayList<>();
        thread.groups++;
    }

    /** Waits until at most {@code pending} of the latest groups are unfinished. */
    public void waitFor(int lane, int pending, boolean readOnly) {
        OfThread thread = of(lane);
        Deque<List<BulkStore>> committed = thread.committed;
        order.completed(1 << lane, thread.reads, thread.groups - pending);
        if (!readOnly) {
            order.completed(1 << lane, thread.writes, thread.groups - pending);
        }
        int finished = committed.size() - pending;
        for (List<BulkStore> group : committed) {
            if (finished-- <= 0) {
                break;
            }
            for (BulkStore store : group) {
                store.finishReading();
                store.release();
                if (!readOnly) {
                    store.finishWriting();
                }
            }
        }
        if (!readOnly) {
            while (committed.size() > pending) {
                committed.removeFirst();
            }
        }
        // A store that was read but maybe not written still counts as a group; only so many can be asked for.
        while (committed.size() > MAX_PENDING && isRead(committed.getFirst())) {
            committed.removeFirst();
        }
    }

    /** Lanes end: forgets their groups that were waited for. */
    public void exit(int lanes) {
        threads.keySet().removeIf(lane -> (lanes >>> lane & 1) != 0 && isRead(of(lane)));
    }

    private static boolean isRead(OfThread thread) {
        return thread.open.isEmpty() && thread.committed.stream().allMatch(BulkGroups::isRead);
    }

    private static boolean isRead(List<BulkStore> group) {
        return group.stream().allMatch(BulkStore::isReleased);
    }

    /** The CTA ends: nothing may still read its memory. */
    public void requireRead() {
        for (OfThread thread : threads.values()) {
            for (BulkStore store : thread.open) {
                throw new HazardFound(new Hazard.LeakedWork(store + ", in a group that was never committed"));
            }
            for (List<BulkStore> group : thread.committed) {
                for (BulkStore store : group) {
                    if (!store.isReleased()) {
                        Origin by = store.origin();
                        happensBefore
                                .findings()
                                .report(
                                        Rule.BULK_READ_AT_EXIT,
                                        by.pc(),
                                        () -> new HazardFound(
                                                new Hazard.LeakedWork(store + ", for whose reading nobody waited"),
                                                by.site()));
                        // The hardware keeps the memory of the CTA until then, as far as anybody knows.
                        store.finishReading();
                        store.release();
                    }
                }
            }
        }
    }
}
