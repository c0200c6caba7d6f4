package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.List;

/** The order through a barrier of a CTA or a cluster: every waiter acquires what every arrival releases. */
public final class MeetingOrder {
    private final Scope scope;
    private HappenedBefore coming = HappenedBefore.START;
    private HappenedBefore released = HappenedBefore.START;
    private List<Missed> missedComing = new ArrayList<>();
    private List<Missed> missed = List.of();

    /** A barrier of all threads of a scope. */
    public MeetingOrder(Scope scope) {
        this.scope = scope;
    }

    /** Lanes arrive and release. */
    public void arrive(WarpOrder warp, int lanes) {
        coming = coming.join(warp.release(lanes));
    }

    /** Lanes arrive relaxed: only what their fences prepared is released. */
    public void arriveRelaxed(WarpOrder warp, int lanes, Access arrival) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            for (Release release : warp.fencedReleases(Integer.numberOfTrailingZeros(rest))) {
                if (release.scope().compareTo(scope) >= 0) {
                    coming = coming.join(release.knowledge());
                }
            }
        }
        // A barrier that is used behind the meeting is there, though no order says so.
        coming = coming.joinNarrow(warp.inits(lanes));
        missedComing.add(Missed.of(
                warp.glimpse(lanes),
                arrival,
                lanes,
                Rule.RELAXED_EXIT_BARRIER,
                "is relaxed, without a fence before it"));
        coming = coming.joinTold(warp.release(lanes));
    }

    /** All have arrived; the next to arrive belong to the next phase. */
    public void complete() {
        released = coming;
        missed = missedComing;
        coming = HappenedBefore.START;
        missedComing = new ArrayList<>();
    }

    /** Lanes have waited for the phase that completed last. */
    public void acquire(WarpOrder warp, int lanes) {
        warp.acquire(lanes, released);
        missed.forEach(order -> warp.miss(lanes, order));
    }
}
