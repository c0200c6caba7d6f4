package dev.tilewright.worker.gpu.sums;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.OracleModule;

/** The experiment on a GPU, real or emulated. */
final class SumRun {

    private SumRun() {}

    /** The bytes of D. */
    static byte[] of(Gpu gpu, SumInputs inputs) {
        byte[] sums = new byte[inputs.c().length];
        try (OracleModule module = OracleModule.load(gpu, SumKernel.build(inputs.pair()));
                DeviceBuffer a = written(gpu, inputs.a());
                DeviceBuffer b = written(gpu, inputs.b());
                DeviceBuffer c = written(gpu, inputs.c());
                DeviceBuffer d = written(gpu, sums)) {
            module.enqueue(SumKernel.launch(a.address(), b.address(), c.address(), d.address()));
            gpu.read(d.address(), sums);
        }
        return sums;
    }

    private static DeviceBuffer written(Gpu gpu, byte[] content) {
        DeviceBuffer buffer = gpu.allocate(content.length);
        gpu.write(buffer.address(), content);
        return buffer;
    }
}
