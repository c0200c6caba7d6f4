package dev.tilewright.worker.gpu.cuda;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** Pinned host memory: a copy into it is made by the device alone. */
final class PinnedBuffer implements HostBuffer {

    private final DriverLibrary driver;
    private final Pointer host = new Pointer();
    private final ByteBuffer content;

    PinnedBuffer(DriverLibrary driver, long bytes) {
        this.driver = driver;
        driver.check("cuMemHostAlloc(" + bytes + " bytes)", JCudaDriver.cuMemHostAlloc(host, bytes, 0));
        this.content = host.getByteBuffer(0, bytes);
    }

    Pointer at(long offset) {
        return host.withByteOffset(offset);
    }

    @Override
    public long bytes() {
        return content.capacity();
    }

    @Override
    public void read(long offset, byte[] target) {
        content.get(Math.toIntExact(offset), target);
    }

    @Override
    public void close() {
        driver.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(host));
    }
}
