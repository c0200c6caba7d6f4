package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.order.WarpOrder;
import dev.tilewright.emulator.schedule.Interleaving;
import java.util.ArrayList;
import java.util.List;

/**
 * The grid ahead of a launch that may start early: it is at work when the first clusters start, may write any byte of
 * global memory until it ends, and ends at a moment of the seed's choice, or when nobody can go on without. Until then
 * griddepcontrol.wait holds threads up; those that have gone through it come behind all that the grid did.
 */
public final class GridAhead {
    /** The grid ahead ends within 2 to this power steps, mostly much earlier. */
    private static final int LATEST = 14;

    private final Order order;
    private final long endsAt;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean ended;

    /** A grid that is at work; nobody comes behind what it does. */
    public GridAhead(Order order, Interleaving choices) {
        this.order = order;
        order.startsEarly();
        endsAt = choices.choice(1 << choices.choice(LATEST));
    }

    public boolean hasEnded() {
        return ended;
    }

    /** Ends it, if its time has come by this step. */
    public void passed(long step) {
        if (!ended && step >= endsAt) {
            end();
        }
    }

    /** Ends it; false if it has ended before. */
    public boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        waiting.forEach(Runnable::run);
        waiting.clear();
        return true;
    }

    /** Registers a callback that runs when the grid ahead has ended. */
    public void whenEnded(Runnable waker) {
        waiting.add(waker);
    }

    /** Lanes have waited for its end. */
    public void awaited(WarpOrder warp, int lanes) {
        order.behindGridAhead(warp, lanes);
    }
}
