package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that can be asked for build, and their modules are valid: also those that no search tries for the shape. */
class OtherShapesTest {

    private static final DeviceLimits H200 = DeviceLimits.of(132);
    private static final int DRAWS = 12;

    private final Sm90Gemm family = new Sm90Gemm();

    private static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    @ParameterizedTest
    @CsvSource({"195x768x7808", "1423x768x7808", "16384x768x7808", "3x24x16"})
    void whatIsDrawnOfAllKernelsBuilds(String shape) {
        SpaceTree kernels = SpaceTree.of(family.space().kernels(problem(shape), H200));
        SplittableRandom random = new SplittableRandom(7);
        for (int draw = 0; draw < DRAWS; draw++) {
            Config config = kernels.draw(random);
            GemmKernel kernel = family.build(config, draw % 2 == 0);
            assertThat(Validator.validate(kernel.module()))
                    .as(config.canonical())
                    .isEmpty();
            assertThat(kernel.module().entry(Sm90Gemm.ENTRY).dynamicShared().bytes())
                    .as(config.canonical())
                    .isEqualTo(Sm90Config.of(config).sharedBytes())
                    .isLessThanOrEqualTo(H200.sharedBytesPerCta());
        }
    }
}
