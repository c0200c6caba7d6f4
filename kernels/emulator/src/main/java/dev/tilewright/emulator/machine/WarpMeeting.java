package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.order.WarpOrder;
import java.util.ArrayList;
import java.util.List;

/** bar.warp.sync: lanes of a warp that wait for each other. */
public final class WarpMeeting {
    private final List<Runnable> waiters = new ArrayList<>();
    private final WarpOrder order;
    private int arrived;

    WarpMeeting(WarpOrder order) {
        this.order = order;
    }

    /** Lanes arrive; whether all that are needed have. */
    public boolean arrive(int lanes, int needed) {
        arrived |= lanes;
        if ((arrived & needed) != needed) {
            return false;
        }
        order.meet(arrived);
        arrived = 0;
        List<Runnable> woken = List.copyOf(waiters);
        waiters.clear();
        woken.forEach(Runnable::run);
        return true;
    }

    public void whenComplete(Runnable waiter) {
        waiters.add(waiter);
    }
}
