package dev.tilewright.emulator.async;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.memory.Landing;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.warp.Origin;

/** st.async: some bytes on their way into the shared memory of a CTA of the cluster. */
public final class StoreToShared implements PendingOperation {
    private final Origin origin;
    private final SharedMemory shared;
    private final int destination;
    private final byte[] bytes;
    private final Mbarrier barrier;
    private final Landing landing;

    public StoreToShared(Origin origin, SharedMemory shared, int destination, byte[] bytes, Mbarrier barrier) {
        this.origin = origin;
        this.shared = shared;
        this.destination = destination;
        this.bytes = bytes;
        this.barrier = barrier;
        landing = Landing.noCopy(
                origin.manner(), origin.evidence(), origin.warp().cta().id(), barrier);
        shared.beginCopy(destination, bytes.length, landing);
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean advance() {
        shared.land(destination, bytes, 0, bytes.length, landing);
        barrier.complete(bytes.length, origin.evidence());
        return true;
    }
}
