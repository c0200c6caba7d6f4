package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.ChecksumKernel;
import dev.tilewright.gemm.oracle.CompareKernel;
import dev.tilewright.gemm.oracle.EpilogueKernel;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.OracleLaunch;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The oracle by the plain kernels of {@code gemm.oracle}, which the driver assembles: those for bf16 when this is made,
 * those for other types, layouts and epilogues when they are first asked for.
 */
public final class KernelOracle implements Oracle {

    /** Any of bf16 and K-major. */
    private static final Problem BF16 = Problem.of(new ProblemShape(1, 1, 1), DataType.BF16);

    private final Gpu gpu;
    private final BusyMeter meter;
    private final Map<DataType, OracleModule> fills = new EnumMap<>(DataType.class);
    private final Map<Inputs, OracleModule> references = new HashMap<>();
    private final Map<DataType, OracleModule> comparisons = new EnumMap<>(DataType.class);
    private final Map<EpilogueKernel.Form, OracleModule> epilogues = new HashMap<>();
    private final OracleModule checksums;
    private final DeviceBuffer initial;

    /** All that the text of the reference depends on. */
    private record Inputs(DataType a, DataType b, boolean kMajorA, boolean kMajorB, boolean blocks) {
        static Inputs of(Problem problem) {
            return new Inputs(
                    problem.types().a(),
                    problem.types().b(),
                    problem.major().a() == Major.K,
                    problem.major().b() == Major.K,
                    problem.scales() == Scales.BLOCK);
        }

        Inputs swapped() {
            return new Inputs(b, a, kMajorB, kMajorA, blocks);
        }
    }

    /** @param meter is told for how long the kernels kept the GPU busy */
    public KernelOracle(Gpu gpu, BusyMeter meter) {
        this.gpu = gpu;
        this.meter = meter;
        fill(DataType.BF16);
        reference(Inputs.of(BF16));
        comparison(DataType.BF16);
        this.checksums = OracleModule.load(gpu, ChecksumKernel.build());
        this.initial = gpu.allocate(CompareKernel.Result.BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(CompareKernel.Result.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : CompareKernel.Result.initial()) {
            bytes.putLong(word);
        }
        gpu.write(initial.address(), bytes.array());
    }

    private OracleModule fill(DataType type) {
        return fills.computeIfAbsent(type, each -> OracleModule.load(gpu, FillKernel.build(List.of(each))));
    }

    private OracleModule reference(Inputs inputs) {
        return references.computeIfAbsent(
                inputs,
                _ -> OracleModule.load(
                        gpu,
                        ReferenceGemmKernel.build(
                                new OperandTypes(inputs.a, inputs.b, DataType.F32),
                                new OperandMajors(
                                        inputs.kMajorA ? Major.K : Major.M,
                                        inputs.kMajorB ? Major.K : Major.N,
                                        Major.N),
                                inputs.blocks)));
    }

    private OracleModule comparison(DataType type) {
        return comparisons.computeIfAbsent(type, each -> OracleModule.load(gpu, CompareKernel.build(each)));
    }

    @Override
    public void fillNormal(DataType type, Signs signs, long address, long elements, long seed) {
        OracleModule module = fill(type);
        FillKernel.Distribution distribution = switch (signs) {
            case RANDOM -> FillKernel.Distribution.NORMAL;
            case ONE -> FillKernel.Distribution.ONE_SIGN;
        };
        meter.busy(() -> module.enqueue(FillKernel.launch(
                type, distribution, address, elements, seed, gpu.info().smCount())));
    }

    @Override
    public void reference(
            Problem problem,
            ProblemShape shape,
            long a,
            long b,
            Optional<ReferenceGemmKernel.BlockScales> scales,
            long reference,
            long magnitude) {
        int m = shape.m();
        int n = shape.n();
        int k = shape.k();
        if (problem.major().d() == Major.N) {
            multiply(
                    Inputs.of(problem),
                    scales.map(blocks -> ReferenceGemmKernel.launch(a, b, reference, magnitude, m, n, k, blocks))
                            .orElseGet(() -> ReferenceGemmKernel.launch(a, b, reference, magnitude, m, n, k)));
        } else if (scales.isEmpty()) {
            // Column by column, D is B times A.
            multiply(Inputs.of(problem).swapped(), ReferenceGemmKernel.launch(b, a, reference, magnitude, n, m, k));
        } else {
            throw new IllegalArgumentException(
                    "major d = m: D of inputs with block scales is row-major, so d must be n");
        }
    }

    private void multiply(Inputs inputs, OracleLaunch launch) {
        OracleModule module = reference(inputs);
        meter.busy(() -> module.enqueue(launch));
    }

    @Override
    public void epilogue(
            EpilogueKernel.Form form, EpilogueKernel.Addresses at, EpilogueKernel.Lines lines, Allowance allowance) {
        OracleModule module =
                epilogues.computeIfAbsent(form, each -> OracleModule.load(gpu, EpilogueKernel.build(each)));
        meter.busy(() -> module.enqueue(
                EpilogueKernel.launch(at, lines, allowance, gpu.info().smCount())));
    }

    @Override
    public long checksum(long address, long bytes) {
        try (DeviceBuffer result = gpu.allocate(Long.BYTES)) {
            checksums(List.of(new Reference.Kept("", address, bytes, 0)), result.address());
            byte[] found = new byte[Long.BYTES];
            gpu.read(result.address(), found);
            return ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN).getLong();
        }
    }

    @Override
    public void checksums(List<Reference.Kept> kept, long results) {
        if (kept.isEmpty()) {
            return;
        }
        meter.busy(() -> {
            // The kernel adds.
            gpu.fill(results, 0, (long) Long.BYTES * kept.size());
            for (int i = 0; i < kept.size(); i++) {
                checksums.enqueue(ChecksumKernel.launch(
                        kept.get(i).address(),
                        kept.get(i).bytes(),
                        results + (long) Long.BYTES * i,
                        gpu.info().smCount()));
            }
        });
    }

    @Override
    public long comparisonBytes() {
        return CompareKernel.Result.BYTES;
    }

    @Override
    public void compare(
            DataType type,
            long elements,
            long output,
            long values,
            long allowances,
            double relative,
            double scale,
            long result) {
        OracleModule module = comparison(type);
        meter.busy(() -> {
            gpu.copy(initial.address(), result, CompareKernel.Result.BYTES);
            module.enqueue(CompareKernel.launch(
                    type,
                    output,
                    values,
                    allowances,
                    result,
                    elements,
                    (float) relative,
                    (float) scale,
                    gpu.info().smCount()));
        });
    }

    @Override
    public ElementErrors comparison(ByteBuffer written) {
        CompareKernel.Result found = CompareKernel.Result.read(written.slice().order(ByteOrder.LITTLE_ENDIAN));
        return new ElementErrors(found.failing(), found.poisoned(), found.maxError(), found.firstFailing());
    }

    @Override
    public void close() {
        initial.close();
        checksums.close();
        epilogues.values().forEach(OracleModule::close);
        comparisons.values().forEach(OracleModule::close);
        references.values().forEach(OracleModule::close);
        fills.values().forEach(OracleModule::close);
    }
}
