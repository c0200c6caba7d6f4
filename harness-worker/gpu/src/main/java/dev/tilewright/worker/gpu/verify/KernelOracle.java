package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.CompareKernel;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The oracle by the plain kernels of {@code gemm.oracle}, which the driver assembles: those for bf16 when this is made,
 * those for other types and layouts when they are first asked for.
 */
public final class KernelOracle implements Oracle {

    /** Any of bf16 and K-major. */
    private static final Problem BF16 = Problem.of(new ProblemShape(1, 1, 1), DataType.BF16);

    private final Gpu gpu;
    private final BusyMeter meter;
    private final Map<DataType, OracleModule> fills = new EnumMap<>(DataType.class);
    private final Map<Inputs, OracleModule> references = new HashMap<>();
    private final Map<DataType, OracleModule> comparisons = new EnumMap<>(DataType.class);
    private final DeviceBuffer initial;

    /** What decides the text of the reference. */
    private record Inputs(DataType a, DataType b, Major majorA, Major majorB) {
        static Inputs of(Problem problem) {
            return new Inputs(
                    problem.types().a(),
                    problem.types().b(),
                    problem.major().a(),
                    problem.major().b());
        }
    }

    /** @param meter is told for how long the kernels kept the GPU busy */
    public KernelOracle(Gpu gpu, BusyMeter meter) {
        this.gpu = gpu;
        this.meter = meter;
        fill(DataType.BF16);
        reference(BF16);
        comparison(DataType.BF16);
        this.initial = gpu.allocate(CompareKernel.Result.BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(CompareKernel.Result.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : CompareKernel.Result.initial()) {
            bytes.putLong(word);
        }
        gpu.write(initial.address(), bytes.array());
    }

    private OracleModule fill(DataType type) {
        return fills.computeIfAbsent(
                type, each -> OracleModule.load(gpu, FillKernel.build(List.of(FillKernel.Element.of(each)))));
    }

    private OracleModule reference(Problem problem) {
        return references.computeIfAbsent(
                Inputs.of(problem),
                _ -> OracleModule.load(gpu, ReferenceGemmKernel.build(problem.types(), problem.major())));
    }

    private OracleModule comparison(DataType type) {
        return comparisons.computeIfAbsent(type, each -> OracleModule.load(gpu, CompareKernel.build(each)));
    }

    @Override
    public void fillNormal(DataType type, long address, long elements, long seed) {
        OracleModule module = fill(type);
        meter.busy(() -> module.enqueue(FillKernel.launch(
                FillKernel.Element.of(type),
                FillKernel.Distribution.NORMAL,
                address,
                elements,
                seed,
                gpu.info().smCount())));
    }

    @Override
    public void reference(Problem problem, ProblemShape shape, long a, long b, long reference, long magnitude) {
        OracleModule module = reference(problem);
        meter.busy(() -> module.enqueue(
                ReferenceGemmKernel.launch(a, b, reference, magnitude, shape.m(), shape.n(), shape.k())));
    }

    @Override
    public long comparisonBytes() {
        return CompareKernel.Result.BYTES;
    }

    @Override
    public void compare(Problem problem, ProblemShape shape, long output, long reference, long magnitude, long result) {
        OracleModule module = comparison(problem.types().d());
        meter.busy(() -> {
            gpu.copy(initial.address(), result, CompareKernel.Result.BYTES);
            module.enqueue(CompareKernel.launch(
                    problem.types().d(),
                    output,
                    reference,
                    magnitude,
                    result,
                    shape.m(),
                    shape.n(),
                    shape.k(),
                    ErrorBound.of(problem.types()),
                    gpu.info().smCount()));
        });
    }

    @Override
    public Comparison comparison(ByteBuffer written) {
        CompareKernel.Result found = CompareKernel.Result.read(written.slice().order(ByteOrder.LITTLE_ENDIAN));
        return new Comparison(found.failing(), found.poisoned(), found.maxError(), found.firstFailing());
    }

    @Override
    public void close() {
        initial.close();
        comparisons.values().forEach(OracleModule::close);
        references.values().forEach(OracleModule::close);
        fills.values().forEach(OracleModule::close);
    }
}
