package dev.tilewright.worker.gpu.verify;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import dev.tilewright.worker.gpu.cuda.HostBuffer;

/** Results of the comparisons of a judgement: on the device, and copied to the host. */
record ResultArea(DeviceBuffer device, HostBuffer host, GpuEvent copied) implements AutoCloseable {

    /**
     * Memory on both sides.
     *
     * @param deviceBytes for what comparisons write
     * @param hostBytes for that and the red zones
     */
    static ResultArea allocate(Gpu gpu, long deviceBytes, long hostBytes) {
        return new ResultArea(gpu.allocate(deviceBytes), gpu.hostBuffer(hostBytes), gpu.event());
    }

    boolean fits(long deviceBytes, long hostBytes) {
        return device.bytes() >= deviceBytes && host.bytes() >= hostBytes;
    }

    @Override
    public void close() {
        device.close();
        host.close();
        copied.close();
    }
}
