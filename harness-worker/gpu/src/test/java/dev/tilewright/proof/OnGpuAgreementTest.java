package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.gpu.cuda.CudaGpu;
import dev.tilewright.worker.gpu.cuda.CudaProbe;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.GpuFunction;
import dev.tilewright.worker.gpu.cuda.GpuModule;
import dev.tilewright.worker.gpu.cuda.KernelArgument;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.Nvml;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.link.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Records what a real GPU computes, for {@link AgreementTest}. Configs and shapes are drawn, not chosen: 12 of each
 * scheduler, with tails in every dimension. The file goes where the system property {@code agreement.file} says.
 */
@Tag("gpu")
class OnGpuAgreementTest {

    private static final int OF_EACH_SCHEDULER = 12;
    private static final long SEED = 20261121;
    /** Every fifth case keeps its values, on a smaller shape. */
    private static final int KEPT = 5;

    private static final int EMULATED_SMS = 4;

    private final GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void records() throws Exception {
        assumeThat(CudaProbe.run()).isInstanceOf(CudaProbe.Present.class);
        List<Agreement.Case> cases = new ArrayList<>();
        try (CudaGpu gpu = CudaGpu.open(0)) {
            for (String scheduler : List.of("single", "static", "atomic")) {
                for (int i = 0; i < OF_EACH_SCHEDULER; i++) {
                    boolean kept = cases.size() / 2 % KEPT == 0;
                    ProblemShape shape = kept ? shape(96, 200) : shape(65, 400);
                    Config config = draw(scheduler, shape);
                    cases.add(run(gpu, config, shape, GemmData.Kind.INTEGERS, false));
                    cases.add(run(gpu, config, shape, GemmData.Kind.NORMAL, kept));
                }
            }
            Agreement agreement = new Agreement(
                    1,
                    gpu.info().name(),
                    Nvml.load().flatMap(Nvml::driverVersion).orElseThrow(),
                    gpu.info().smCount(),
                    System.getProperty("tilewright.commit"),
                    cases);
            Path file = Path.of(System.getProperty("agreement.file"));
            Json.writeAtomically(file, Json.pretty().writeValueAsBytes(agreement));
            System.out.println(cases.size() + " cases in " + file);
        }
    }

    /** Not square, N and K in multiples of 8 as the family asks, M as it comes. */
    private ProblemShape shape(int low, int high) {
        int m = random.nextInt(low, high);
        int n = random.nextInt(low / 8, high / 8) * 8;
        int k = random.nextInt(4, high / 8) * 8;
        return new ProblemShape(m, n, k);
    }

    /** Valid on this GPU and on the emulated one. */
    private Config draw(String scheduler, ProblemShape shape) {
        Problem problem = Problem.of(shape, DataType.BF16);
        SearchSpace here = family.space().space(problem, DeviceLimits.of(132));
        SearchSpace there = family.space().space(problem, DeviceLimits.of(EMULATED_SMS));
        SpaceTree tree = SpaceTree.of(here);
        while (true) {
            Config config = tree.draw(random);
            if (config.name("scheduler").equals(scheduler)
                    && there.violation(config).isEmpty()) {
                return config;
            }
        }
    }

    private Agreement.Case run(CudaGpu gpu, Config config, ProblemShape shape, GemmData.Kind kind, boolean kept) {
        long seed = random.nextLong(1, 1_000_000);
        GemmKernel kernel = family.build(config, false);
        GemmData data = new GemmData(Problem.of(shape, DataType.BF16), kind, seed, kernel.sumError());
        KernelLaunch launch = kernel.launch(
                Problem.of(shape, DataType.BF16), DeviceLimits.of(gpu.info().smCount()), config);
        byte[] d = launched(gpu, kernel, launch, Problem.of(shape, DataType.BF16), data);
        assertThat(data.flaw(d, 1, Witness.NONE)).as(config + " on " + shape).isEmpty();
        return new Agreement.Case(
                config,
                shape.m(),
                shape.n(),
                shape.k(),
                kind,
                seed,
                launch.gridX(),
                Agreement.sha256(data.a(), data.b()),
                Agreement.sha256(d),
                kept ? Agreement.packed(d) : null);
    }

    private static byte[] launched(
            CudaGpu gpu, GemmKernel kernel, KernelLaunch launch, Problem problem, GemmData data) {
        Map<String, DeviceBuffer> buffers = new HashMap<>();
        byte[] d = data.poison();
        try (GpuModule module = gpu.load(kernel.text().getBytes(java.nio.charset.StandardCharsets.US_ASCII))) {
            buffers.put("A", buffer(gpu, data.a()));
            buffers.put("B", buffer(gpu, data.b()));
            buffers.put("D", buffer(gpu, d));
            for (BufferDemand demand : launch.buffers()) {
                buffers.put(demand.role().toString(), buffer(gpu, new byte[Math.toIntExact(demand.bytes())]));
            }
            GpuFunction function = module.function(launch.entry(), launch.dynamicSharedBytes());
            List<KernelArgument> parameters = DescribedLaunch.of(problem, launch).parameters().stream()
                    .map(argument -> parameter(argument, buffers))
                    .toList();
            try (PreparedLaunch prepared = gpu.prepare(
                    function,
                    LaunchGrid.linear(launch.gridX(), launch.threads(), launch.dynamicSharedBytes()),
                    parameters)) {
                prepared.enqueue();
                gpu.read(buffers.get("D").address(), d);
            }
        } finally {
            buffers.values().forEach(DeviceBuffer::close);
        }
        return d;
    }

    private static DeviceBuffer buffer(CudaGpu gpu, byte[] content) {
        DeviceBuffer buffer = gpu.allocate(content.length);
        gpu.write(buffer.address(), content);
        return buffer;
    }

    private static KernelArgument parameter(KernelParameter parameter, Map<String, DeviceBuffer> buffers) {
        return switch (parameter) {
            case KernelParameter.Scalar(var type, long bits, var _) ->
                type.bytes() == Integer.BYTES ? new KernelArgument.Bits32((int) bits) : new KernelArgument.Bits64(bits);
            case KernelParameter.Pointer(var buffer, long offset) ->
                new KernelArgument.Bits64(buffers.get(buffer).address() + offset);
            case KernelParameter.MapByValue(var buffer, long offset, var map) ->
                new KernelArgument.Map(map, buffers.get(buffer).address() + offset);
            case KernelParameter.NullPointer _, KernelParameter.Raw _, KernelParameter.Struct _ ->
                throw new IllegalArgumentException("none of ours: " + parameter);
        };
    }
}
