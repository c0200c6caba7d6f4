package dev.tilewright.emulator.order;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The latest orders that lanes of a warp missed because a synchronisation was too weak or too narrow. */
final class MissedOrders {
    private static final int MAX_ORDERS = 64;

    private record MissedBy(int lanes, Missed missed) {}

    private final Deque<MissedBy> latest = new ArrayDeque<>();

    void add(int lanes, Missed order) {
        if (latest.size() == MAX_ORDERS) {
            latest.removeFirst();
        }
        latest.addLast(new MissedBy(lanes, order));
    }

    /** By which a lane would know of an access, or another lane if it was not this one's to learn. */
    @Nullable
    Missed of(Access earlier, int earlierLane, int lane) {
        Missed anyLane = null;
        for (Iterator<MissedBy> each = latest.descendingIterator(); each.hasNext(); ) {
            MissedBy by = each.next();
            if (by.missed.covers(earlier, earlierLane)) {
                // Where the access is read as a flag, the access that hands it over says more than it does.
                if (by.missed.by() != earlier && (by.lanes >>> lane & 1) != 0) {
                    return by.missed;
                }
                anyLane = anyLane == null ? by.missed : anyLane;
            }
        }
        return anyLane;
    }
}
