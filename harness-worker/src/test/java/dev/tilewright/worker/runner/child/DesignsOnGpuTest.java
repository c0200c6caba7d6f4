package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.compile.link.AssemblerReply;
import dev.tilewright.worker.device.cuda.CudaGpu;
import dev.tilewright.worker.device.cuda.CudaJit;
import dev.tilewright.worker.device.cuda.CudaProbe;
import dev.tilewright.worker.device.cuda.GpuState;
import dev.tilewright.worker.link.Blob;
import dev.tilewright.worker.measure.TimingPlan;
import dev.tilewright.worker.peer.Peers;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerReply.TrialDone;
import dev.tilewright.worker.runner.link.RunnerRequest.RunTrial;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rarer designs of {@code sm90-gemm} through whole trials on a real GPU of 132 SMs: multicast of one operand, two
 * CTAs on an SM, no wait depth, a smaller grid, a Hilbert curve.
 */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DesignsOnGpuTest {

    private static final String BASE = "clusterM=1 clusterN=1 consumers=2 ctasPerSm=1 epilogueN=64 epilogueStages=2"
            + " gridSize=0 l2Hint=none loadStages=4 mode=cooperative multicast=none rasterGroup=8 rasterOrder=groupedM"
            + " registers=232 scheduler=static swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=128"
            + " waitDepth=1 splitK=1 streamK=none ";
    private static final List<ProblemShape> SHAPES = List.of(
            ProblemShape.parse("1000x1512x704"),
            ProblemShape.parse("2056x1032x72"),
            ProblemShape.parse("4096x3072x512"));

    private final GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
    private CudaGpu gpu;
    private CudaJit jit;
    private Workbench bench;

    @BeforeAll
    void open() {
        assumeThat(CudaProbe.run()).isInstanceOf(CudaProbe.Present.class);
        gpu = CudaGpu.open(0);
        jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
        bench = Workbench.open(gpu, GpuState.UNKNOWN, TimingPlan.STANDARD, Peers.installed(gpu, System.getenv()));
    }

    @AfterAll
    void close() {
        if (gpu != null) {
            gpu.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusterM=2 clusterN=2 multicast=both",
                "clusterM=2 clusterN=2 multicast=a tileN=176",
                "clusterM=2 clusterN=2 multicast=b scheduler=atomic mode=pingpong tileM=64",
                "consumers=1 registers=0",
                "consumers=1 ctasPerSm=2 loadStages=3",
                "consumers=1 ctasPerSm=2 tileN=200 loadStages=2 scheduler=atomic clusterM=2 multicast=both",
                "ctasPerSm=2 registers=0 tileN=80 loadStages=3 scheduler=single",
                "waitDepth=0 loadStages=3",
                "waitDepth=0 loadStages=2 mode=pingpong tileM=64 scheduler=atomic",
                "gridSize=128",
                "tileLocation=table rasterOrder=hilbert rasterGroup=4",
                "tileLocation=table rasterOrder=hilbert rasterGroup=4 scheduler=atomic mode=pingpong tileM=64"
                        + " tileN=176 clusterM=2 multicast=both"
            })
    void everyDesignRunsThroughATrial(String design) {
        Config config = Config.parse(BASE + design);
        DeviceLimits limits = DeviceLimits.of(gpu.info().smCount());
        Problem largest = Problem.of(SHAPES.getLast(), DataType.BF16);
        assertThat(family.space().space(largest, limits).violation(config)).isEmpty();
        for (ProblemShape shape : SHAPES) {
            Problem problem = Problem.of(shape, DataType.BF16);
            TrialDone done = new TrialRunner(bench, new Phases(System::nanoTime, name -> {}))
                    .run(new RunTrial(
                            problem,
                            config,
                            kernel(family.build(config, false), problem, limits, config),
                            kernel(family.build(config, true), problem, limits, config),
                            7,
                            List.of(Mode.SUSTAINED)));
            System.out.println(shape + " " + design + ": " + done);
            assertThat(done.outcome()).as(config + "\n" + done.log()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(done.evidence().tilesPerSm()).hasSize(gpu.info().smCount());
            assertThat(done.evidence().tilesPerSm().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .isEqualTo(tilesWithOutput(shape, config));
        }
    }

    private static int tilesWithOutput(ProblemShape shape, Config config) {
        return Math.ceilDiv(shape.m(), config.whole("tileM")) * Math.ceilDiv(shape.n(), config.whole("tileN"));
    }

    private Kernel kernel(GemmKernel built, Problem problem, DeviceLimits limits, Config config) {
        AssemblerReply reply = jit.assemble(built.text(), "sm_90a");
        assertThat(reply).isInstanceOf(AssemblerReply.Assembled.class);
        AssemblerReply.Assembled assembled = (AssemblerReply.Assembled) reply;
        System.out.println("driver's assembler: " + assembled.log());
        return new Kernel(new Blob(assembled.cubin().bytes()), built.launch(problem, limits, config), 0);
    }
}
