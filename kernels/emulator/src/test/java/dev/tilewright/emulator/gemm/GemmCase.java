package dev.tilewright.emulator.gemm;

import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Statistics;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueReference;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.Sm90Operands;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One config of a family on one problem, of one GEMM or several, with data and the reference for it, as a launch of the
 * emulator.
 */
public final class GemmCase {
    /** How A and B are drawn. */
    public enum Data {
        /** Whole numbers -2..2: all partial sums are exact in f32. */
        INTEGERS,
        NORMAL
    }

    private static final String SM90 = "clusterM=1 clusterN=1 consumers=2 epilogueN=64 gridSize=0 loadStages=3 "
            + "mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=240 scheduler=static "
            + "swizzle=128 tileK=64 tileM=128 tileN=128 waitDepth=0";
    private static final String SM100 = "clusterM=1 clusterN=1 ctaGroup=1 tileM=128 tileN=64 tileK=64 loadStages=2 "
            + "accumulatorStages=1 clcStages=1 clcPrefetch=1 clcThrottle=none multicast=none epilogueN=32 "
            + "inputType=bf16 outputType=bf16 scheduler=static rasterGroup=1 rasterOrder=alongM gridSize=0";
    /** As small as it may be, so that tiles queue; a cluster that is larger needs its own. */
    private static final int SMS = 4;

    /** Clusters that are there at a time where their order is looked at, some of each kind. */
    private static final int DEALT = 12;

    private static final Map<Integer, ClusterDeal> DEALS = Map.of(2, new ClusterDeal(1, 3, 2, 2, 2));

    private static final int GUARD = 4096;
    /** Not 1, which a kernel could forget, and exact. */
    private static final float SCALE = -0.75f;

    private final Config config;
    private final Problem problem;
    private final OperandLayout layout;
    private final GemmKernel kernel;
    private final KernelLaunch launch;
    private final float scale;
    private final float[] a;
    private final float[] b;
    private final float[] scaleA;
    private final float[] scaleB;
    private final float[] bias;
    private final float[] c;
    private final double[] reference;

    /** A config of sm90-gemm: defaults, changed by {@code name=value} pairs, which may say types and layouts. */
    public GemmCase(String parameters, int m, int n, int k, Data data, boolean traced) {
        this(sm90(parameters), List.of(new ProblemShape(m, n, k)), 1, data, traced);
    }

    private GemmCase(Config config, List<ProblemShape> groups, int batch, Data data, boolean traced) {
        this(config, Sm90Config.of(config).operands(), groups, batch, data, traced);
    }

    private GemmCase(
            Config config, Sm90Operands operands, List<ProblemShape> groups, int batch, Data data, boolean traced) {
        this("sm90-gemm", config, operands.types(), operands.majors(), groups, batch, data, traced);
    }

    private static Config sm90(String parameters) {
        return Config.parse(SM90).with(parameters);
    }

    /** The same of several GEMMs, each {@code batch} times, with {@code tileLocation=table} among the parameters. */
    public static GemmCase sm90(String parameters, List<ProblemShape> groups, int batch, Data data, boolean traced) {
        return new GemmCase(sm90(parameters), groups, batch, data, traced);
    }

    /** SMs of the machine that the launch is made for. */
    int sms() {
        int cluster = config.whole("clusterM") * config.whole("clusterN") * config.whole("clusterK", 1);
        return ordersClusters() ? DEALT * cluster : Math.max(SMS, cluster);
    }

    /** Of a GPU that deals clusters of two in rounds and later rounds, but for one before them and one behind. */
    DeviceLimits limits() {
        return DeviceLimits.of(sms()).dealing(DEALS);
    }

    /** Of two clusters all orders are one. */
    private boolean ordersClusters() {
        return config.has("clusterOrder") && config.name("clusterOrder").equals("gpc");
    }

    /** A config of sm100-gemm likewise; its types are those of the problem. */
    public static GemmCase sm100(String parameters, int m, int n, int k, Data data, boolean traced) {
        return sm100(parameters, List.of(new ProblemShape(m, n, k)), data, traced);
    }

    /** The same of several GEMMs, with {@code tileLocation=table} among the parameters. */
    public static GemmCase sm100(String parameters, List<ProblemShape> groups, Data data, boolean traced) {
        Config config = Config.parse(SM100).with(parameters);
        DataType input = DataType.parse(config.name("inputType"));
        DataType output = DataType.parse(config.name("outputType"));
        OperandTypes types = new OperandTypes(input, input, output);
        return new GemmCase("sm100-gemm", config, types, OperandMajors.DEFAULT, groups, 1, data, traced);
    }

    private GemmCase(
            String family,
            Config config,
            OperandTypes types,
            OperandMajors majors,
            List<ProblemShape> groups,
            int batch,
            Data data,
            boolean traced) {
        this.config = config;
        Epilogue epilogue = config.has("epilogue") ? Epilogue.parse(config.name("epilogue")) : Epilogue.NONE;
        Scales scales = config.has("scales") ? Scales.parse(config.name("scales")) : Scales.TENSOR;
        problem = new Problem(groups, batch, types, majors, Scenario.QUIET, epilogue, scales);
        layout = OperandLayout.of(problem);
        GemmFamily builder = GemmFamilies.standard().named(family);
        DeviceLimits limits = limits();
        SearchSpace space = builder.space().space(problem, limits);
        // A value that the space does not list still builds; a rule that is broken does not.
        space.constraints().stream()
                .map(constraint -> constraint.violation(config))
                .flatMap(Optional::stream)
                .findFirst()
                .ifPresent(violation -> {
                    throw new IllegalArgumentException(config + ": " + violation);
                });
        kernel = builder.build(config, traced);
        KernelLaunch unscaled = kernel.launch(problem, limits, config);
        scale = unscaled.takesScale() ? SCALE : 1;
        launch = unscaled.takesScale() ? unscaled.withScale(SCALE) : unscaled;
        ProblemShape first = problem.shape();
        SplittableRandom random = new SplittableRandom(first.m() * 31L + first.n() * 7L + first.k());
        a = draw(random, Math.toIntExact(layout.elementsA()), data, types.a());
        b = draw(random, Math.toIntExact(layout.elementsB()), data, types.b());
        bias = draw(random, epilogue.bias().map(first::along).orElse(0), data, types.d());
        c = draw(random, epilogue.addsC() ? Math.toIntExact(layout.elementsD()) : 0, data, types.d());
        scaleA = drawScales(random, layout.elementsOfScales(scales, OperandRole.A), data);
        scaleB = drawScales(random, layout.elementsOfScales(scales, OperandRole.B), data);
        reference = new double[Math.toIntExact(layout.elementsD())];
        layout.gemms().forEach(gemm -> multiply(gemm, Math::fma, reference));
        if (!problem.steps().isNone()) {
            end();
        }
    }

    /** Applies the epilogue to the sums of the only GEMM. */
    private void end() {
        EpilogueReference steps = new EpilogueReference(problem.steps());
        Allowance none = new Allowance(0, 0, 0, 0, 0);
        boolean alongM = problem.epilogue().bias().filter(Major.M::equals).isPresent();
        int n = problem.shape().n();
        for (int i = 0; i < reference.length; i++) {
            float added = bias.length == 0 ? 0 : bias[alongM ? i / n : i % n];
            double scaled = problem.scales() == Scales.ROW ? scaleA[i / n] * scaleB[i % n] : 1;
            EpilogueOp.Addends<Double> addends =
                    new EpilogueOp.Addends<>(scaled, (double) added, c.length == 0 ? 0.0 : c[i]);
            reference[i] = steps.of(reference[i], 0, addends, none).value();
        }
    }

    /** Powers of two, each unlike the two on either side, leave whole numbers exact; others have mantissas. */
    private static float[] drawScales(SplittableRandom random, long count, Data data) {
        float[] values = new float[Math.toIntExact(count)];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (data) {
                case INTEGERS -> Math.scalb(1f, 2 * i % 5 - 2);
                case NORMAL -> (float) Math.pow(2, random.nextDouble(-6, 2));
            };
        }
        return values;
    }

    private static float[] draw(SplittableRandom random, int count, Data data, DataType type) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = switch (data) {
                case INTEGERS -> random.nextInt(-2, 3);
                case NORMAL -> TypedValues.nearest(type, (float) random.nextGaussian());
            };
        }
        return values;
    }

    /**
     * Failed queries that the trace of a right run counts. A cluster of {@code atomic} draws until it fails and reads
     * what is in flight behind that: as many failures as it has queries in flight. The other family counts none.
     */
    public int failedQueries(Statistics statistics) {
        if (!config.values().containsKey("clcPrefetch")) {
            return 0;
        }
        return switch (config.name("scheduler")) {
            case "clc" ->
                statistics.clusters().stream()
                        .mapToInt(Statistics.ClusterRun::failed)
                        .sum();
            case "atomic" -> statistics.clusters().size() * config.whole("clcPrefetch");
            default -> 0;
        };
    }

    /** What becomes of a sum with one more product. */
    private interface Step {
        double of(double a, double b, double sum);
    }

    /** The scales of the blocks that a product is in. */
    private double ofBlock(OperandLayout.Gemm gemm, int row, int column, int k) {
        Scales scales = problem.scales();
        return scales == Scales.BLOCK
                ? (double) scaleA[scales.index(OperandRole.A, gemm.shape(), row, k)]
                        * scaleB[scales.index(OperandRole.B, gemm.shape(), column, k)]
                : 1;
    }

    /** Sums over K for each element of D of one GEMM, at its index among all. */
    private void multiply(OperandLayout.Gemm gemm, Step step, double[] d) {
        int k = gemm.shape().k();
        boolean rowsOfA = problem.major().a() == Major.K;
        boolean rowsOfB = problem.major().b() == Major.K;
        for (int row = 0; row < gemm.shape().m(); row++) {
            for (int column = 0; column < gemm.shape().n(); column++) {
                double sum = 0;
                for (int i = 0; i < k; i++) {
                    int inA = rowsOfA ? row * k + i : i * gemm.shape().m() + row;
                    int inB = rowsOfB ? column * k + i : i * gemm.shape().n() + column;
                    sum = step.of(
                            a[(int) gemm.a() + inA] * ofBlock(gemm, row, column, i), b[(int) gemm.b() + inB], sum);
                }
                d[(int) gemm.d() + row * gemm.shape().n() + column] = scale * sum;
            }
        }
    }

    public GemmKernel kernel() {
        return kernel;
    }

    public Config config() {
        return config;
    }

    public KernelLaunch kernelLaunch() {
        return launch;
    }

    /** Cluster tiles for each cluster of the grid, rounded down. */
    public int tilesPerCluster() {
        return trace().tiles().clusterTiles() / launch.clusters();
    }

    /** The launch, with D poisoned and not to be read, as what need not be zero; everything else is zero. */
    public Launch launch() {
        List<Buffer> buffers = new ArrayList<>();
        DataType output = problem.types().d();
        buffers.add(Buffer.of("A", TypedValues.bytes(problem.types().a(), a)));
        buffers.add(Buffer.of("B", TypedValues.bytes(problem.types().b(), b)));
        if (scaleA.length > 0) {
            buffers.add(Buffer.of(BufferRole.SCALE_A.name(), TypedValues.bytes(DataType.F32, scaleA)));
            buffers.add(Buffer.of(BufferRole.SCALE_B.name(), TypedValues.bytes(DataType.F32, scaleB)));
        }
        if (bias.length > 0) {
            buffers.add(Buffer.of(BufferRole.BIAS.name(), TypedValues.bytes(output, bias)));
        }
        if (c.length > 0) {
            buffers.add(Buffer.of(BufferRole.C.name(), TypedValues.bytes(output, c)));
        }
        float[] poison = new float[reference.length];
        Arrays.fill(poison, Float.NaN);
        buffers.add(Buffer.uninitialised("D", TypedValues.bytes(output, poison)));
        for (BufferDemand demand : launch.buffers()) {
            buffers.add(buffer(demand));
        }
        launch.filled().forEach(filled -> buffers.add(buffer(filled)));
        List<Argument> arguments =
                launch.arguments().stream().map(GemmCase::argument).toList();
        return new Launch(
                launch.entry(),
                Dim3.of(launch.gridX()),
                Dim3.of(launch.threads()),
                Dim3.of(launch.clusterSize()),
                launch.dynamicSharedBytes(),
                arguments,
                buffers,
                launch.overlaps());
    }

    private static Argument argument(dev.tilewright.gemm.launch.Argument argument) {
        return switch (argument) {
            case dev.tilewright.gemm.launch.Argument.U32(int value) -> new Argument.Scalar32(value);
            case dev.tilewright.gemm.launch.Argument.F32(var _, float value) ->
                new Argument.Scalar32(Float.floatToRawIntBits(value));
            case dev.tilewright.gemm.launch.Argument.U64(long value) -> new Argument.Scalar64(value);
            case dev.tilewright.gemm.launch.Argument.Pointer(BufferRole buffer, long offset) ->
                new Argument.Pointer(buffer.name(), offset);
            case dev.tilewright.gemm.launch.Argument.TensorMap map -> map(map);
        };
    }

    private static Argument map(dev.tilewright.gemm.launch.Argument.TensorMap map) {
        return new Argument.Map(
                map.buffer().name(),
                map.offsetBytes(),
                TensorMap.tiled(
                        TypedValues.elementType(map.type()),
                        map.dims(),
                        map.strides(),
                        map.box(),
                        Swizzle.valueOf(map.swizzle().name())));
    }

    /** What need not be zero was never written. */
    private static Buffer buffer(BufferDemand demand) {
        byte[] content = new byte[Math.toIntExact(demand.bytes())];
        return demand.zero() == BufferDemand.Zero.NEVER
                ? Buffer.uninitialised(demand.role().name(), content)
                : Buffer.of(demand.role().name(), content);
    }

    private static Buffer buffer(FilledBuffer filled) {
        ByteBuffer content =
                ByteBuffer.allocate(Math.toIntExact(filled.bytes())).order(ByteOrder.LITTLE_ENDIAN);
        List<Argument.Patch> patches = new ArrayList<>();
        switch (filled) {
            case FilledBuffer.Words words -> words.words().forEach(content::putInt);
            case FilledBuffer.Outputs _ ->
                throw new IllegalArgumentException("cases of several GEMMs have no epilogue here");
            case FilledBuffer.Maps maps ->
                maps.maps()
                        .forEach(map -> patches.add(
                                new Argument.Patch(patches.size() * FilledBuffer.Maps.MAP_BYTES, map(map))));
        }
        return new Buffer(filled.role().name(), content.array(), GUARD, true, patches);
    }

    /** The first element of D that is not the reference rounded to its type, if any. */
    public Optional<String> firstWrong(byte[] d) {
        DataType output = problem.types().d();
        float[] values = TypedValues.read(output, d);
        for (int i = 0; i < reference.length; i++) {
            float expected = TypedValues.nearest(output, (float) reference[i]);
            if (values[i] != expected) {
                return Optional.of(named(i) + " is " + values[i] + " instead of " + expected);
            }
        }
        return Optional.empty();
    }

    /** The row and column of an element, and its GEMM. */
    private String named(int element) {
        OperandLayout.Gemm gemm = layout.gemms().stream()
                .filter(each -> each.d() <= element)
                .reduce((before, behind) -> behind)
                .orElseThrow();
        int in = element - (int) gemm.d();
        int n = gemm.shape().n();
        return "D[" + in / n + "," + in % n + "] of GEMM " + layout.gemms().indexOf(gemm);
    }

    /** The largest error of D in units of the bound. */
    public double errorRatio(byte[] d) {
        DataType output = problem.types().d();
        ErrorBound usual = ErrorBound.of(new OperandTypes(output, output, output));
        boolean cut = problem.types().a().bytes() == 1;
        ErrorBound bound = cut ? new ErrorBound(usual.relative(), kernel().sumError()) : usual;
        float[] values = TypedValues.read(output, d);
        double[] absolute = new double[reference.length];
        double worst = 0;
        for (OperandLayout.Gemm gemm : layout.gemms()) {
            ProblemShape shape = gemm.shape();
            multiply(gemm, (x, y, sum) -> sum + Math.abs(x * y), absolute);
            for (int at = (int) gemm.d(); at < gemm.d() + shape.m() * shape.n(); at++) {
                double ratio = bound.ratio(values[at], reference[at], Math.abs(absolute[at]), shape.k());
                worst = Double.isNaN(ratio) ? Double.POSITIVE_INFINITY : Math.max(worst, ratio);
            }
        }
        return worst;
    }

    /** Layout of the trace of a traced twin. */
    public TraceLayout trace() {
        return TraceLayout.of(problem, config);
    }

    @Override
    public String toString() {
        return config.canonical() + " on " + problem.groups();
    }
}
