package dev.tilewright.emulator.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writes that asynchronous work reads, collected at its first issue. Every issuing warp must come behind them. */
public final class Needs {
    private record Need(Access access, int lane, int at) {}

    private final List<Need> needs = new ArrayList<>();
    private @Nullable Object last;

    /** Whether that was added last. */
    boolean isLast(Object cell) {
        return cell == last;
    }

    void add(Access access, int lane, int at) {
        if (access != last || lane != needs.getLast().lane) {
            needs.add(new Need(access, lane, at));
            last = access;
        }
    }

    /** Requires that whoever acts knows of all of it. */
    public void require(Order order, Access work, Shadow shadow) {
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        for (Need need : needs) {
            if (!actor.order().sees(need.access, need.lane, actor.lane())) {
                Races.report(actor, need.access, need.lane, work, () -> shadow.range(need.at, 16));
            }
        }
    }
}
