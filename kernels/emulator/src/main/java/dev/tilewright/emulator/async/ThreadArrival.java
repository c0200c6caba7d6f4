package dev.tilewright.emulator.async;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.warp.Origin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** cp.async.mbarrier.arrive: arrives at a barrier some time after the copies of its thread have landed. */
public final class ThreadArrival implements PendingOperation {
    private final Origin origin;
    private final SharedMemory shared;
    private final List<ThreadCopy> copies;
    private final Mbarrier barrier;
    private final @Nullable Access last;

    /**
     * An arrival just issued.
     *
     * @param shared memory in which the barrier lies
     * @param of the copies of the thread's warp
     */
    public ThreadArrival(Origin origin, SharedMemory shared, ThreadCopies of, Mbarrier barrier) {
        this.origin = origin;
        this.shared = shared;
        copies = of.unobserved(origin.lane());
        this.barrier = barrier;
        last = of.last(origin.lane());
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
        if (barrier.live() && !shared.ended()) {
            if (last == null) {
                barrier.arrive(1, origin);
            } else {
                barrier.arriveCopies(origin, last, origin.lane());
            }
        }
        return true;
    }
}
