package dev.tilewright.emulator.async;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.memory.GlobalMemory.GlobalBuffer;
import dev.tilewright.emulator.memory.Landing;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.warp.Origin;

/** A cp.async: 4, 8 or 16 bytes of one thread on their way from global to shared memory. */
public final class ThreadCopy implements PendingOperation {
    private final Origin origin;
    private final GlobalMemory global;
    private final SharedMemory shared;
    private final int destination;
    private final int bytes;
    private final long source;
    private final int sourceBytes;
    private final Landing landing;
    private boolean landed;

    /**
     * A copy just issued.
     *
     * @param destination offset in the shared memory
     * @param sourceBytes bytes that are read; zeros follow them
     */
    public ThreadCopy(
            Origin origin,
            GlobalMemory global,
            long source,
            int sourceBytes,
            SharedMemory shared,
            int destination,
            int bytes) {
        this.origin = origin;
        this.global = global;
        this.shared = shared;
        this.destination = destination;
        this.bytes = bytes;
        this.source = source;
        this.sourceBytes = sourceBytes;
        landing = Landing.ofThread(
                origin.evidence(), origin.warp().order().copyAccess(origin.manner(), origin.evidence()));
        if (sourceBytes > 0) {
            global.copyRead(landing.access(), source, sourceBytes);
        }
        shared.beginCopy(destination, bytes, landing);
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean advance() {
        land();
        return true;
    }

    /** Its reading and writing. */
    Access access() {
        return landing.access();
    }

    /** Brings the bytes now, if they are not there yet. */
    void land() {
        if (landed) {
            return;
        }
        byte[] value = new byte[bytes];
        if (sourceBytes > 0) {
            GlobalBuffer from = global.holding(source, sourceBytes, "cp.async");
            System.arraycopy(from.data(), (int) (source - from.base()), value, 0, sourceBytes);
        }
        shared.land(destination, value, 0, bytes, landing);
        landed = true;
    }

    /** Its thread waits for it. */
    void await() {
        land();
        shared.await(destination, bytes, landing);
    }

    /** The current phase of the barrier ends only when it has landed. */
    void track(Mbarrier barrier) {
        landing.track(barrier);
    }

    /** Whether somebody has waited for it. */
    boolean observed() {
        return landed && landing.observed();
    }
}
