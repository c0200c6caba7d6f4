package dev.tilewright.emulator.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fences of a warp between the proxies that let an answer of try_cancel overwrite one that was read: released by
 * the reader, acquired by who asks. PTX 9.7.13.4, 9.7.13.17.
 */
public final class AnswerOrder {
    private static final int LANES = 32;
    /** Beyond this the oldest is forgotten: later ones cover what was read before it. */
    private static final int MAX_RELEASED_KEPT = 64;

    /**
     * A fence.proxy.async::generic.release.sync_restrict that some lanes executed together.
     *
     * @param known what they knew before it
     */
    private record Released(int lanes, int epoch, Clock known) {
        boolean covers(Agent threads, Access read, int readLane) {
            boolean own = read.agent == threads && (lanes >>> readLane & 1) != 0 && read.epoch <= epoch;
            return own || known.covers(read.agent, readLane, read.epoch);
        }
    }

    private final WarpOrder warp;
    private final Order order;
    private final List<Released> released = new ArrayList<>();
    /** The order that each lane had acquired at its last acquiring fence; {@code acquiredAt} has the epoch. */
    private final @Nullable HappenedBefore[] acquired = new @Nullable HappenedBefore[LANES];

    private final int[] acquiredAt = new int[LANES];

    AnswerOrder(WarpOrder warp, Order order) {
        this.warp = warp;
        this.order = order;
    }

    /** fence.proxy.async::generic.release.sync_restrict: what the lanes read of answers may be overwritten. */
    public void release(int lanes) {
        if (released.size() == MAX_RELEASED_KEPT) {
            released.removeFirst();
        }
        released.add(new Released(lanes, warp.epoch(), warp.glimpse(lanes).visible()));
        order.releasedAnswers(this);
        warp.nextEpoch();
    }

    /** fence.proxy.async::generic.acquire.sync_restrict: behind what other lanes have released. */
    public void acquire(int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            acquired[lane] = warp.known(lane);
            acquiredAt[lane] = warp.epoch();
        }
    }

    /** Whether fences between the proxies stand between a reading of an answer and what a lane does now. */
    boolean mayOverwrite(Access read, int readLane, int lane) {
        if (warp.proxySees(read, readLane, lane, false)) {
            return true;
        }
        HappenedBefore known = acquired[lane];
        if (known == null) {
            return false;
        }
        int cluster = warp.threads().cluster();
        for (AnswerOrder other : order.releasedAnswers()) {
            Agent threads = other.warp.threads();
            if (threads.cluster() != cluster) {
                continue;
            }
            for (Released fence : other.released.reversed()) {
                if (fence.covers(threads, read, readLane) && isBehind(other, fence, lane, known)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the last acquiring fence of a lane came behind a releasing one. */
    private boolean isBehind(AnswerOrder other, Released fence, int lane, HappenedBefore known) {
        if (other == this && (fence.lanes >>> lane & 1) != 0 && fence.epoch < acquiredAt[lane]) {
            return true;
        }
        for (int rest = fence.lanes; rest != 0; rest &= rest - 1) {
            int by = Integer.numberOfTrailingZeros(rest);
            if (known.visible().covers(other.warp.threads(), by, fence.epoch)) {
                return true;
            }
        }
        return false;
    }
}
