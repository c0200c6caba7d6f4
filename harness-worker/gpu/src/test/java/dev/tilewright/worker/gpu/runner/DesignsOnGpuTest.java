package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Multicast of one operand, two CTAs on an SM, no wait depth, a smaller grid, transposed products: each through whole
 * trials on a real GPU of 132 SMs.
 */
class DesignsOnGpuTest extends OnGpu {

    private static final List<ProblemShape> SHAPES = List.of(
            ProblemShape.parse("1000x1512x704"),
            ProblemShape.parse("2056x1032x72"),
            ProblemShape.parse("4096x3072x512"));

    @ParameterizedTest
    @MethodSource("dev.tilewright.worker.gpu.runner.Designs#all")
    void everyDesignRunsThroughATrial(Config config) {
        for (ProblemShape shape : SHAPES) {
            Problem problem = Problem.of(shape, DataType.BF16);
            TrialResult done = completed(request(problem, config, Mode.SUSTAINED));
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
