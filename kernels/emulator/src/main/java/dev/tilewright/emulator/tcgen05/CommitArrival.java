package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.async.PendingOperation;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.order.CommitOrder;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.warp.Origin;

/**
 * The arrival of a tcgen05.commit at the barrier of one CTA. The ISA promises neither that the arrivals of one commit
 * come together nor that the arrivals of several commits come in order: each comes some time later.
 */
final class CommitArrival implements PendingOperation {
    /** One arrival in so many is delayed. */
    private static final int LATE_ONES = 4;
    /** By so many steps of what is under way, at most. */
    private static final int MAX_DELAY = 64;

    private final Origin origin;
    private final TensorUnit unit;
    private final Mbarrier barrier;
    private final CommitOrder tracked;
    private int delay;

    /**
     * An arrival that is to come.
     *
     * @param unit of the CTA whose barrier it is
     */
    CommitArrival(Origin origin, TensorUnit unit, Mbarrier barrier, CommitOrder tracked) {
        this.origin = origin;
        this.unit = unit;
        this.barrier = barrier;
        this.tracked = tracked;
    }

    void send() {
        unit.expect(this);
        Interleaving choices = unit.cores().choices();
        delay = choices.choice(LATE_ONES) == 1 ? choices.choice(MAX_DELAY) : 0;
        unit.cores().async().add(this);
    }

    @Override
    public boolean advance() {
        if (delay > 0) {
            delay--;
            return false;
        }
        unit.arrived(this);
        barrier.arriveTensor(origin, tracked);
        return true;
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean isCopy() {
        return false;
    }

    @Override
    public String toString() {
        return "the arrival of the tcgen05.commit of " + origin;
    }
}
