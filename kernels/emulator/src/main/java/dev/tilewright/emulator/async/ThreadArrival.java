package dev.tilewright.emulator.async;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Origin;
import dev.tilewright.emulator.order.Access;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** cp.async.mbarrier.arrive: arrives at a barrier some time after the copies of its thread have landed. */
public final class ThreadArrival implements PendingOperation {
    private final Origin origin;
    private final Cta cta;
    private final List<ThreadCopy> copies;
    private final Mbarrier barrier;
    private final @Nullable Access last;

    /** An arrival just issued, on a barrier of the CTA. */
    public ThreadArrival(Origin origin, Cta cta, List<ThreadCopy> copies, Mbarrier barrier) {
        this.origin = origin;
        this.cta = cta;
        this.copies = copies;
        this.barrier = barrier;
        last = origin.warp().threadCopies().last(origin.lane());
        copies.forEach(copy -> copy.track(barrier));
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean advance() {
        copies.forEach(ThreadCopy::land);
        // Nobody is left who could wait for it where the CTA has ended.
        if (barrier.live() && cta.threads() > 0) {
            if (last == null) {
                barrier.arrive(1, origin);
            } else {
                barrier.arriveCopies(origin, last, origin.lane());
            }
        }
        return true;
    }
}
