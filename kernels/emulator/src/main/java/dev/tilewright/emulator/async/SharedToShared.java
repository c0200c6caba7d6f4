package dev.tilewright.emulator.async;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.Landing;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.BulkRead;
import dev.tilewright.emulator.order.Needs;
import dev.tilewright.emulator.warp.Origin;

/**
 * cp.async.bulk from the shared memory of one CTA into that of another of the cluster, counted on a barrier there. It
 * owns what it reads until it has landed.
 */
public final class SharedToShared implements PendingOperation, BulkRead {
    private final Origin origin;
    private final SharedMemory from;
    private final int source;
    private final SharedMemory to;
    private final int destination;
    private final int bytes;
    private final Mbarrier barrier;
    private final Landing landing;
    private final Needs needs = new Needs();

    /**
     * A copy just issued: claims both places.
     *
     * @param source offset in {@code from}
     * @param destination offset in {@code to}
     */
    public SharedToShared(
            Origin origin,
            SharedMemory from,
            int source,
            SharedMemory to,
            int destination,
            int bytes,
            Mbarrier barrier) {
        this.origin = origin;
        this.from = from;
        this.source = source;
        this.to = to;
        this.destination = destination;
        this.bytes = bytes;
        this.barrier = barrier;
        landing = Landing.onBarrier(origin.manner(), origin.evidence(), to.cta(), barrier);
        from.claim(source, bytes, this);
        to.beginCopy(destination, bytes, landing);
    }

    /** It is over when the copy has landed. */
    @Override
    public Access reading() {
        return landing.access();
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean advance() {
        requireAlive(from, "the source");
        requireAlive(to, "the destination");
        to.land(destination, from.data(), source, bytes, landing);
        from.release(source, bytes);
        barrier.complete(bytes, origin.evidence());
        return true;
    }

    private void requireAlive(SharedMemory shared, String end) {
        if (shared.ended()) {
            throw new HazardFound(new Hazard.ExitedCta(end + " of " + this, shared.cta()));
        }
    }

    @Override
    public String toString() {
        return "the bulk copy of " + origin;
    }
}
