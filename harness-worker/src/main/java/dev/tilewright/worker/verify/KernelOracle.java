package dev.tilewright.worker.verify;

import dev.tilewright.gemm.oracle.CompareKernel;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.measure.BusyMeter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The oracle by the plain kernels of {@code gemm.oracle}, which the driver assembles when this is made. */
public final class KernelOracle implements Oracle {

    private static final int LONGS = CompareKernel.Result.BYTES / Long.BYTES;

    private final Gpu gpu;
    private final BusyMeter meter;
    private final OracleModule fill;
    private final OracleModule reference;
    private final OracleModule compare;
    private final DeviceBuffer result;

    /** @param meter is told for how long the kernels kept the GPU busy */
    public KernelOracle(Gpu gpu, BusyMeter meter) {
        this.gpu = gpu;
        this.meter = meter;
        this.fill = OracleModule.load(gpu, FillKernel.build());
        this.reference = OracleModule.load(gpu, ReferenceGemmKernel.build());
        this.compare = OracleModule.load(gpu, CompareKernel.build());
        this.result = gpu.allocate(CompareKernel.Result.BYTES);
    }

    @Override
    public void fillNormal(long address, long elements, long seed) {
        meter.busy(() -> fill.enqueue(FillKernel.launch(
                FillKernel.Element.BF16,
                FillKernel.Distribution.NORMAL,
                address,
                elements,
                seed,
                gpu.info().smCount())));
    }

    @Override
    public void reference(ProblemShape shape, long a, long b, long reference, long magnitude) {
        meter.busy(() -> this.reference.enqueue(
                ReferenceGemmKernel.launch(a, b, reference, magnitude, shape.m(), shape.n(), shape.k())));
    }

    @Override
    public Comparison compare(ProblemShape shape, long output, long reference, long magnitude) {
        long[] initial = CompareKernel.Result.initial();
        for (int i = 0; i < LONGS; i++) {
            long word = result.address() + (long) i * Long.BYTES;
            gpu.fill(word, (int) initial[i], Integer.BYTES);
            gpu.fill(word + Integer.BYTES, (int) (initial[i] >>> 32), Integer.BYTES);
        }
        meter.busy(() -> compare.enqueue(CompareKernel.launch(
                output,
                reference,
                magnitude,
                result.address(),
                shape.m(),
                shape.n(),
                shape.k(),
                ErrorBound.BF16,
                gpu.info().smCount())));
        byte[] bytes = new byte[CompareKernel.Result.BYTES];
        gpu.read(result.address(), bytes);
        CompareKernel.Result found =
                CompareKernel.Result.read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        return new Comparison(found.failing(), found.poisoned(), found.maxError(), found.firstFailing());
    }

    @Override
    public void close() {
        result.close();
        compare.close();
        reference.close();
        fill.close();
    }
}
