package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
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
import dev.tilewright.worker.verify.TestData;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Split and shared tiles on a real GPU, on the path of every trial: verified before and after many launches in a row, traced. */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SplitOnGpuTest {

    private static final String BASE = "scheduler=static mode=cooperative consumers=2 tileM=128 tileN=128 tileK=64"
            + " loadStages=4 clusterM=1 clusterN=1 multicast=none swizzle=128 epilogueN=64 epilogueStages=2"
            + " registers=240 l2Hint=none waitDepth=1 rasterOrder=groupedM rasterGroup=8 gridSize=0 ";
    private static final int LAUNCHES = 500;

    private CudaGpu gpu;
    private Workbench bench;
    private CudaJit jit;

    @BeforeAll
    void open() {
        assumeThat(CudaProbe.run()).isInstanceOf(CudaProbe.Present.class);
        gpu = CudaGpu.open(0);
        bench = Workbench.open(gpu, GpuState.UNKNOWN, TimingPlan.STANDARD, Peers.installed(gpu, System.getenv()));
        jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
    }

    @AfterAll
    void close() {
        if (gpu != null) {
            gpu.close();
        }
    }

    /** Uneven pieces, tails, fewer pieces than SMs and several times as many. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1024x1024x1024 | bf16 | splitK=4",
                "1000x1512x712 | bf16 | splitK=2 scheduler=single",
                "1000x1512x4104 | bf16 | splitK=4 scheduler=single clusterM=2 multicast=both",
                "128x8192x8192 | bf16 | splitK=4 scheduler=atomic",
                "512x8192x8192 | bf16 | splitK=2 tileN=256 clusterM=2 multicast=both",
                "2048x1032x2056 | bf16 | splitK=3 scheduler=atomic tileN=176",
                "1000x1512x4104 | bf16 | splitK=4 tileM=256 tileN=192 loadStages=3 scheduler=atomic clusterN=2"
                        + " multicast=both",
                "1000x1512x704 | bf16 | splitK=2 mode=pingpong scheduler=atomic clusterM=2 multicast=both",
                "328x4104x2056 | bf16 | splitK=4 mode=pingpong tileM=64 tileN=200",
                "2048x2048x2048 | bf16 | splitK=2 scheduler=atomic gridSize=100",
                "1000x1512x704 | f32 | splitK=4 typeD=f32 epilogueN=32",
                "1000x1512x4104 | bf16 | streamK=remainder",
                "2048x2048x2048 | bf16 | streamK=remainder tileM=256 loadStages=3 clusterM=2 multicast=both",
                "4096x4096x4096 | bf16 | streamK=remainder tileN=256 clusterM=2 multicast=both",
                "2056x1848x2056 | bf16 | streamK=remainder tileN=176 mode=pingpong clusterN=2 multicast=both",
                "128x8192x8192 | bf16 | streamK=remainder tileN=256 gridSize=100",
                "328x4104x2056 | bf16 | streamK=remainder ctasPerSm=2 registers=0 consumers=1 tileM=64 loadStages=3",
                "1000x3080x1032 | f32 | streamK=remainder typeD=f32 epilogueN=32",
            })
    void isRightAfterManyLaunches(String shape, String output, String parameters) {
        Problem problem = new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                new OperandTypes(DataType.BF16, DataType.BF16, DataType.parse(output)),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        Config config = Config.parse(BASE + parameters);
        DeviceLimits limits = DeviceLimits.of(gpu.info().smCount());
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        Kernel kernel = kernel(family.build(config, false), problem, limits, config);
        TrialDone done = new TrialRunner(bench, new Phases(System::nanoTime, name -> {}))
                .run(new RunTrial(
                        problem,
                        config,
                        kernel,
                        kernel(family.build(config, true), problem, limits, config),
                        7,
                        List.of(Mode.SUSTAINED, Mode.COLD)));
        System.out.println(shape + " " + config + ": " + done);
        assertThat(done.outcome()).as(config + "\n" + done.log()).isEqualTo(TrialOutcome.COMPLETED);
        TestData data = bench.store().get(problem, 7);
        bench.verifier().poison(data.sets());
        try (LoadedKernel loaded = LoadedKernel.load(gpu, "split", kernel, data)) {
            for (int launch = 0; launch < LAUNCHES; launch++) {
                loaded.enqueue(launch % loaded.sets());
            }
            gpu.synchronize();
            assertThat(bench.verifier().judge(data, loaded.usedSets()).complaints())
                    .isEmpty();
        }
    }

    private Kernel kernel(GemmKernel built, Problem problem, DeviceLimits limits, Config config) {
        AssemblerReply reply = jit.assemble(built.text(), "sm_90a");
        assertThat(reply).isInstanceOf(AssemblerReply.Assembled.class);
        AssemblerReply.Assembled assembled = (AssemblerReply.Assembled) reply;
        return new Kernel(new Blob(assembled.cubin().bytes()), built.launch(problem, limits, config), 0);
    }
}
