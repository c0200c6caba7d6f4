package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.order.WarpOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** bar.warp.sync: lanes of a warp that wait for each other, those of each mask by themselves. */
public final class WarpMeeting {
    /** Lanes that have come, and who waits for the others. */
    private static final class Group {
        private int arrived;
        private List<Runnable> waiters = new ArrayList<>();
    }

    private final Map<Integer, Group> groups = new HashMap<>();
    private final WarpOrder order;
    private int alive;

    WarpMeeting(WarpOrder order, int alive) {
        this.order = order;
        this.alive = alive;
    }

    /**
     * Lanes arrive; whether all that live of those that their mask names have.
     *
     * @param named the mask of each of the lanes
     */
    public boolean arrive(int lanes, int named) {
        Group group = groups.computeIfAbsent(named, _ -> new Group());
        group.arrived |= lanes;
        return completes(named, group);
    }

    private boolean completes(int named, Group group) {
        if (group.arrived == 0 || (named & alive & ~group.arrived) != 0) {
            return false;
        }
        order.meet(group.arrived);
        group.arrived = 0;
        List<Runnable> woken = group.waiters;
        group.waiters = new ArrayList<>();
        woken.forEach(Runnable::run);
        return true;
    }

    /** @param waiter is run when the lanes of this mask have met */
    public void whenComplete(int named, Runnable waiter) {
        groups.get(named).waiters.add(waiter);
    }

    /** Nobody waits for lanes that have exited. */
    void exit(int lanes) {
        alive &= ~lanes;
        groups.forEach((named, group) -> completes(named, group));
    }
}
