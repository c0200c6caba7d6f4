package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.runner.link.RunnerReply.TrialDone;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rarer designs of {@code sm90-gemm} through whole trials on a real GPU of 132 SMs: multicast of one operand, two
 * CTAs on an SM, no wait depth, a smaller grid, a Hilbert curve.
 */
class DesignsOnGpuTest extends OnGpu {

    private static final String BASE = "clusterM=1 clusterN=1 consumers=2 ctasPerSm=1 epilogueN=64 epilogueStages=2"
            + " gridSize=0 l2Hint=none loadStages=4 mode=cooperative multicast=none rasterGroup=8 rasterOrder=groupedM"
            + " registers=232 scheduler=static swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=128"
            + " waitDepth=1 splitK=1 streamK=none l2Promotion=128 ";
    private static final List<ProblemShape> SHAPES = List.of(
            ProblemShape.parse("1000x1512x704"),
            ProblemShape.parse("2056x1032x72"),
            ProblemShape.parse("4096x3072x512"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusterM=2 clusterN=2 multicast=both",
                "clusterM=2 clusterN=2 multicast=a tileN=176",
                "clusterM=4 clusterN=2 multicast=both scheduler=single",
                "clusterM=2 clusterN=4 multicast=both scheduler=atomic mode=pingpong tileM=64",
                "tileM=192 tileN=208 epilogueN=32",
                "tileM=192 tileN=208 epilogueN=32 clusterM=2 multicast=both scheduler=single",
                "tileM=64 tileN=272 scheduler=atomic clusterN=2 multicast=a",
                "clusterM=2 clusterN=2 multicast=b scheduler=atomic mode=pingpong tileM=64",
                "consumers=1 registers=0",
                "l2Promotion=256",
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
        Problem largest = Problem.of(SHAPES.getLast(), DataType.BF16);
        assertThat(space(largest).violation(config)).isEmpty();
        for (ProblemShape shape : SHAPES) {
            Problem problem = Problem.of(shape, DataType.BF16);
            TrialDone done = completed(request(problem, config, Mode.SUSTAINED));
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

    @Override
    void log(String assembler) {
        System.out.println("driver's assembler: " + assembler);
    }
}
