package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.gpu.cuda.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The wait in front of a loaded kernel.
 *
 * @param address of the variable that the kernel reads
 */
record LaunchDelay(Gpu gpu, long address) {

    /** Has each thread wait for so many steps from the next launch on. */
    void set(long steps) {
        gpu.write(
                address,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(steps)
                        .array());
    }
}
