package dev.tilewright.emulator.async;

import dev.tilewright.emulator.async.BulkStore.Combine;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.Landing;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.BulkRead;
import dev.tilewright.emulator.order.Needs;
import dev.tilewright.emulator.warp.Origin;
import java.util.Arrays;

/**
 * cp.async.bulk or cp.reduce.async.bulk from the shared memory of one CTA into that of another of the cluster, counted
 * on a barrier there. It owns what it reads until it has landed. A reduction changes its destination in one step.
 */
public final class SharedToShared implements PendingOperation, BulkRead {
    private final Origin origin;
    private final SharedMemory from;
    private final int source;
    private final SharedMemory to;
    private final int destination;
    private final int bytes;
    private final Mbarrier barrier;
    private final Combine combine;
    private final Landing landing;
    private final Needs needs = new Needs();

    /**
     * A copy just issued: claims the bytes of its source and of its destination.
     *
     * @param source offset in {@code from}
     * @param destination offset in {@code to}
     * @param combine what becomes of the bytes that are there and those that come
     * @param reduces whether it needs the bytes that are there
     */
    public SharedToShared(
            Origin origin,
            SharedMemory from,
            int source,
            SharedMemory to,
            int destination,
            int bytes,
            Mbarrier barrier,
            Combine combine,
            boolean reduces) {
        this.origin = origin;
        this.from = from;
        this.source = source;
        this.to = to;
        this.destination = destination;
        this.bytes = bytes;
        this.barrier = barrier;
        this.combine = combine;
        landing = reduces
                ? Landing.ofReduction(origin.manner(), origin.evidence(), to.cta(), barrier)
                : Landing.onBarrier(origin.manner(), origin.evidence(), to.cta(), barrier);
        from.claim(source, bytes, this);
        to.beginCopy(destination, bytes, landing);
    }

    /** The read is complete when the copy has landed. */
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
        byte[] result = Arrays.copyOfRange(to.data(), destination, destination + bytes);
        combine.into(result, 0, from.data(), source, bytes);
        to.land(destination, result, 0, bytes, landing);
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
        return "the bulk " + (landing.reduces() ? "reduction" : "copy") + " of " + origin;
    }
}
