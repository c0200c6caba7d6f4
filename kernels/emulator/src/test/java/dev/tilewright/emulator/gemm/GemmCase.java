package dev.tilewright.emulator.gemm;

import dev.tilewright.emulator.Argument;
import dev.tilewright.emulator.Buffer;
import dev.tilewright.emulator.Dim3;
import dev.tilewright.emulator.Launch;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.ptx.type.ScalarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** One config of sm90-gemm on one shape, with data and the reference for it, as a launch of the emulator. */
public final class GemmCase {
    /** How A and B are drawn. */
    public enum Data {
        /** Whole numbers -2..2: all partial sums are exact in f32. */
        INTEGERS,
        NORMAL
    }

    private static final GemmFamily FAMILY = GemmFamilies.standard().named("sm90-gemm");
    private static final int SMS = 4;

    private final Config config;
    private final ProblemShape shape;
    private final Problem problem;
    private final GemmKernel kernel;
    private final KernelLaunch launch;
    private final short[] a;
    private final short[] b;
    private final double[] reference;

    public GemmCase(String parameters, int m, int n, int k, Data data, boolean traced) {
        config = config(parameters);
        shape = new ProblemShape(m, n, k);
        problem = Problem.of(shape, DataType.BF16);
        SearchSpace space = FAMILY.space().space(problem, DeviceLimits.of(SMS));
        // A value that the space does not list still builds; a rule that is broken does not.
        space.constraints().stream()
                .map(constraint -> constraint.violation(config))
                .flatMap(Optional::stream)
                .findFirst()
                .ifPresent(violation -> {
                    throw new IllegalArgumentException(parameters + ": " + violation);
                });
        kernel = FAMILY.build(config, traced);
        launch = kernel.launch(problem, DeviceLimits.of(SMS), config);
        SplittableRandom random = new SplittableRandom(m * 31L + n * 7L + k);
        a = draw(random, m * k, data);
        b = draw(random, n * k, data);
        reference = ReferenceGemm.multiply(a, b, m, n, k);
    }

    /** Defaults, changed by {@code name=value} pairs. */
    private static Config config(String parameters) {
        TreeMap<String, ParameterValue> values = new TreeMap<>();
        String defaults = "clusterM=1 clusterN=1 consumers=2 epilogueN=64 gridSize=0 loadStages=3 mode=cooperative "
                + "multicast=none rasterGroup=4 rasterOrder=alongM registers=240 scheduler=static swizzle=128 tileK=64 "
                + "tileM=128 tileN=128 waitDepth=0";
        for (String pair : (defaults + " " + parameters).trim().split(" +")) {
            String[] parts = pair.split("=");
            boolean whole = parts[1].matches("[0-9]+");
            values.put(
                    parts[0],
                    whole ? new ParameterValue.Whole(Integer.parseInt(parts[1])) : new ParameterValue.Name(parts[1]));
        }
        return new Config(values);
    }

    private static short[] draw(SplittableRandom random, int count, Data data) {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = Bf16.ofFloat(
                    switch (data) {
                        case INTEGERS -> random.nextInt(-2, 3);
                        case NORMAL -> (float) random.nextGaussian();
                    });
        }
        return values;
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
        TraceLayout layout = TraceLayout.of(problem, config);
        return layout.grid().clusterTiles() / (launch.gridX() / launch.clusterSize());
    }

    /** The launch, with D poisoned and not to be read, and everything else zero. */
    public Launch launch() {
        List<Buffer> buffers = new ArrayList<>();
        buffers.add(Buffer.of("A", bytes(a)));
        buffers.add(Buffer.of("B", bytes(b)));
        short[] poison = new short[shape.m() * shape.n()];
        Arrays.fill(poison, Bf16.POISON);
        buffers.add(Buffer.uninitialised("D", bytes(poison)));
        for (BufferDemand demand : launch.buffers()) {
            buffers.add(Buffer.of(demand.role().name(), new byte[(int) demand.bytes()]));
        }
        List<Argument> arguments =
                launch.arguments().stream().map(GemmCase::argument).toList();
        return new Launch(
                launch.entry(),
                Dim3.of(launch.gridX()),
                Dim3.of(launch.threads()),
                Dim3.of(launch.clusterSize()),
                launch.dynamicSharedBytes(),
                arguments,
                buffers);
    }

    private static Argument argument(dev.tilewright.gemm.launch.Argument argument) {
        return switch (argument) {
            case dev.tilewright.gemm.launch.Argument.U32(int value) -> new Argument.Scalar32(value);
            case dev.tilewright.gemm.launch.Argument.U64(long value) -> new Argument.Scalar64(value);
            case dev.tilewright.gemm.launch.Argument.Pointer(BufferRole buffer, long offset) ->
                new Argument.Pointer(buffer.name(), offset);
            case dev.tilewright.gemm.launch.Argument.TensorMap map ->
                new Argument.Map(
                        map.buffer().name(),
                        map.offsetBytes(),
                        TensorMap.tiled(
                                ScalarType.BF16,
                                map.dims(),
                                map.strides(),
                                map.box(),
                                Swizzle.valueOf(map.swizzle().name())));
        };
    }

    private static byte[] bytes(short[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * 2).order(ByteOrder.LITTLE_ENDIAN);
        for (short value : values) {
            buffer.putShort(value);
        }
        return buffer.array();
    }

    /** The first element of D that is not the reference rounded to bf16, if any. */
    public Optional<String> firstWrong(byte[] d) {
        ByteBuffer values = ByteBuffer.wrap(d).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < reference.length; i++) {
            short expected = Bf16.ofFloat((float) reference[i]);
            short actual = values.getShort(2 * i);
            if (Bf16.toFloat(expected) != Bf16.toFloat(actual)) {
                return Optional.of("D[" + i / shape.n() + "," + i % shape.n() + "] is " + Bf16.toFloat(actual)
                        + " instead of " + Bf16.toFloat(expected));
            }
        }
        return Optional.empty();
    }

    /** The largest error of D in units of the bound. */
    public double errorRatio(byte[] d) {
        ByteBuffer values = ByteBuffer.wrap(d).order(ByteOrder.LITTLE_ENDIAN);
        double worst = 0;
        for (int row = 0; row < shape.m(); row++) {
            for (int column = 0; column < shape.n(); column++) {
                ReferenceGemm.Element element = ReferenceGemm.element(a, b, shape.k(), row, column);
                double actual = Bf16.toFloat(values.getShort(2 * (row * shape.n() + column)));
                double ratio = ErrorBound.BF16.ratio(actual, element.value(), element.absoluteSum(), shape.k());
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
        return config.canonical() + " on " + shape;
    }
}
