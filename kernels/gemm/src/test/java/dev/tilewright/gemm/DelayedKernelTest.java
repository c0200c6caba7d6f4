package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.testing.Selection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait in front of our kernels costs no registers, and makes no assembler serialise their wgmmas. */
class DelayedKernelTest {

    @ParameterizedTest
    @ValueSource(strings = {"sm90-gemm", "sm100-gemm"})
    void isTheSameKernelBehindTheWait(String name) throws Exception {
        Ptxas.assumePresent();
        GemmFamily family = GemmFamilies.standard().named(name);
        Problem problem = Problem.of(new ProblemShape(4096, 4096, 4096), DataType.BF16);
        List<Config> some = SpaceTree.of(
                        family.space().space(problem, DeviceLimits.of(132)).usual(Map.of()))
                .representatives(List.of(Scheduler.KEY.name()));
        assertThat(some).isNotEmpty();
        for (Config config : Selection.of(some, 2)) {
            GemmKernel kernel = family.build(config, false);
            var entry = kernel.module().entries().getFirst();
            String delayed = DelayedText.of(kernel.text(), entry.name());
            assertThat(Ptxas.registers(kernel.module().target(), config + " delayed", delayed))
                    .as(config.canonical())
                    .isEqualTo(Ptxas.registers(kernel.module().target(), config.canonical(), kernel.text()));
        }
    }
}
