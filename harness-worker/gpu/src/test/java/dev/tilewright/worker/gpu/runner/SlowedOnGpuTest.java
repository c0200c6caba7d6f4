package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.GpuTask.Compare;
import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a real GPU a wait makes a launch as much longer as was asked for, and a comparison finds it. */
class SlowedOnGpuTest extends OnGpu {

    /** What the interval of the calibration and that of the blocks may add to its tolerance. */
    private static final double NOISE = 0.001;

    @ParameterizedTest
    @CsvSource({
        "4096x4096x4096, 0.01",
        "1024x1024x1024, 0.01",
        "4096x4096x4096, 0.05",
        "5000x2048x1024, 0.02",
        "2048x2048x2048, 0.1"
    })
    void aTwinThatWaitsIsSlowerByWhatWasAskedFor(String shape, double by) {
        Problem problem = problem(shape);
        Config config = SpaceTree.of(space(problem).usual(Map.of()))
                .representatives(List.of())
                .getFirst();
        Kernel.Assembled delayed = delayed(problem, config);
        Compare task = new Compare(
                problem, new Side.Own(FAMILY.name(), config), new Side.Own(FAMILY.name(), config, by), false, SEED);
        var result = new ComparisonRun(bench, phases()).run(task, List.of(delayed, delayed));
        System.out.println(shape + " by " + by + ": " + result);
        Compared compared = (Compared) result;
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(compared.ratio().value() - 1).isCloseTo(by, Offset.offset(Slowing.TOLERANCE * by + NOISE));
        assertThat(compared.second().slowed().steps()).isPositive();
    }
}
