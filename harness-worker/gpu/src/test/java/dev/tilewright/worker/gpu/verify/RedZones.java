package dev.tilewright.worker.gpu.verify;

import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.HostBuffer;
import java.util.Optional;

/** The red zones of a buffer, fetched at once. */
public final class RedZones {

    private RedZones() {}

    /** What was written into them; empty if nothing was. */
    public static Optional<String> damage(Gpu gpu, GuardedBuffer buffer) {
        byte[] zones = new byte[GuardedBuffer.FETCHED_BYTES];
        try (HostBuffer copy = gpu.hostBuffer(GuardedBuffer.FETCHED_BYTES)) {
            buffer.fetchZones(copy, 0);
            gpu.synchronize();
            copy.read(0, zones);
        }
        return GuardedBuffer.damage(zones);
    }
}
