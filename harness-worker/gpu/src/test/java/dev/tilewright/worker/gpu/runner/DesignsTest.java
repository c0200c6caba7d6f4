package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only a GPU can run does not fall out of the space unnoticed where there is none. */
class DesignsTest {

    private static final Problem PROBLEM = Problem.of(ProblemShape.parse("4096x3072x512"), DataType.BF16);

    @ParameterizedTest
    @MethodSource("dev.tilewright.worker.gpu.runner.Designs#all")
    void everyDesignIsInTheSpace(Config config) {
        assertThat(OnGpu.FAMILY.space().space(PROBLEM, DeviceLimits.of(132)).violation(config))
                .isEmpty();
    }
}
