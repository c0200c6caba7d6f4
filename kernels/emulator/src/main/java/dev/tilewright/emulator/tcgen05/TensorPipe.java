package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.async.AsyncQueue;
import dev.tilewright.emulator.async.PendingOperation;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The work of a CTA or a pair under way, done one after the other, each some time later. Work that the hardware need
 * not do in this order must be ordered by the kernel, which is checked when it is issued.
 */
final class TensorPipe implements PendingOperation {
    private final AsyncQueue async;
    private final Deque<TensorWork> queue = new ArrayDeque<>();

    TensorPipe(AsyncQueue async) {
        this.async = async;
    }

    void add(TensorWork work) {
        if (queue.isEmpty()) {
            async.add(this);
        }
        queue.addLast(work);
    }

    @Override
    public boolean advance() {
        queue.removeFirst().execute();
        return queue.isEmpty();
    }

    @Override
    public Origin origin() {
        return queue.getFirst().origin();
    }

    @Override
    public boolean isCopy() {
        return false;
    }

    void requireEmpty() {
        if (!queue.isEmpty()) {
            throw new HazardFound(new Hazard.LeakedWork(queue.getFirst() + ", still under way"));
        }
    }

    void requireNoPairWork() {
        for (TensorWork work : queue) {
            if (work.group() == CtaGroup.TWO) {
                throw new HazardFound(new Hazard.LeakedWork(work + ", still under way in the pair"));
            }
        }
    }
}
