package dev.tilewright.gemm.sm100;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.Ptxas;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.testing.Selection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LadderTest {

    private static final Problem PROBLEM = Problem.of(ProblemShape.parse("4096x4096x4096"), DataType.BF16);

    @Test
    void endsWithTheWholeFamily() {
        Config last = Ladder.steps().getLast().config();
        assertThat(Ladder.steps()).hasSize(7);
        assertThat(last.name("scheduler")).isEqualTo("clc");
        assertThat(last.whole("ctaGroup")).isEqualTo(2);
        assertThat(last.whole("accumulatorStages")).isEqualTo(2);
        assertThat(new Sm100Gemm().space().space(PROBLEM, DeviceLimits.of(148)).violation(last))
                .isEmpty();
    }

    /** A raster is a launch parameter: its step has the text of the one below, and another launch. */
    @Test
    void everyStepIsAnotherKernelOrAnotherLaunch() {
        Set<Object> seen = new HashSet<>();
        for (Ladder.Step step : Ladder.steps()) {
            var kernel = step.build(false);
            var launch = kernel.launch(PROBLEM, DeviceLimits.of(148), step.config());
            assertThat(seen.add(List.of(kernel.text(), launch))).as(step.name()).isTrue();
            assertThat(Validator.validate(kernel.module())).as(step.name()).isEmpty();
        }
    }

    @Test
    void stepsAssemble() throws Exception {
        Ptxas.assumePresent();
        for (Ladder.Step step : Selection.of(Ladder.steps(), 3)) {
            assertThat(Ptxas.registers(
                            Target.SM_100A, step.name(), step.build(true).text()))
                    .isLessThan(256);
        }
    }
}
