package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a kernel that is known to be good and checks every word it wrote: whether a GPU still works after a fault. */
public record HealthProbe(Gpu gpu) {

    private static final int ELEMENTS = 1 << 18;

    /**
     * Fills a vector with whole numbers and compares them with the same numbers made here.
     *
     * @throws IllegalStateException naming the first element that is wrong
     */
    public void run(long seed) {
        byte[] bytes = new byte[ELEMENTS * Float.BYTES];
        try (OracleModule module = OracleModule.load(gpu, FillKernel.build());
                DeviceBuffer buffer = gpu.allocate(bytes.length)) {
            module.enqueue(FillKernel.launch(
                    DataType.F32,
                    FillKernel.Distribution.INTEGERS,
                    buffer.address(),
                    ELEMENTS,
                    seed,
                    gpu.info().smCount()));
            gpu.read(buffer.address(), bytes);
        }
        ByteBuffer found = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < ELEMENTS; i++) {
            float expected = FillKernel.integerAt(seed, i);
            float actual = found.getFloat(i * Float.BYTES);
            if (actual != expected) {
                throw new IllegalStateException(
                        "the GPU wrote " + actual + " instead of " + expected + " to element " + i + " of " + ELEMENTS);
            }
        }
    }
}
