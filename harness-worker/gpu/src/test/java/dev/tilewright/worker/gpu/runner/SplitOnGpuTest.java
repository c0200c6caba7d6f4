package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Split and shared tiles on a real GPU, as every trial has them: verified before and after many launches, traced. */
class SplitOnGpuTest extends OnGpu {

    private static final String BASE = "scheduler=static mode=cooperative consumers=2 tileM=128 tileN=128 tileK=64"
            + " loadStages=4 clusterM=1 clusterN=1 multicast=none swizzle=128 epilogueN=64 epilogueStages=2"
            + " registers=240 l2Hint=none waitDepth=1 rasterOrder=groupedM rasterGroup=8 gridSize=0 ";
    private static final int LAUNCHES = 500;

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
            })
    void isRightAfterManyLaunches(String shape, String output, String parameters) {
        Problem problem = new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                new OperandTypes(DataType.BF16, DataType.BF16, DataType.parse(output)),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        Config config = Config.parse(BASE).with(parameters);
        RunTrial trial = request(problem, config, Mode.SUSTAINED, Mode.COLD);
        completed(trial);
        TestData data = bench.store().get(problem, SEED);
        bench.verifier().poison(data.sets());
        try (LoadedCubin loaded = LoadedCubin.load(gpu, "split", (Kernel.Assembled) trial.kernel(), data)) {
            for (int launch = 0; launch < LAUNCHES; launch++) {
                loaded.enqueue(launch % loaded.sets());
            }
            gpu.synchronize();
            assertThat(bench.verifier().judge(data, loaded.usedSets()).complaints())
                    .isEmpty();
        }
    }
}
