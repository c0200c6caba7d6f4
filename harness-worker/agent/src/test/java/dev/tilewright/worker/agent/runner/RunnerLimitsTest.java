package dev.tilewright.worker.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a runner may take: what a problem, its finalists and peers need at the least is within it. */
class RunnerLimitsTest {

    private static final RunnerLimits LIMITS = new RunnerLimits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ZERO);
    private static final Problem PROBLEM = Problem.of(new ProblemShape(256, 128, 64), DataType.BF16);

    @Test
    void aLargeProblemMayTakeLonger() {
        Problem large = Problem.of(new ProblemShape(16384, 8192, 4096), DataType.BF16);
        Duration onReference = Duration.ofMillis((long) (large.flops() / 1e12 * 1e3));

        assertThat(LIMITS.trial(PROBLEM)).as("a tiny problem").isEqualTo(LIMITS.trial());
        assertThat(LIMITS.trial(large))
                .as("at 1 TFLOP/s")
                .isEqualTo(LIMITS.trial().plus(onReference));
        assertThat(LIMITS.runFinal(large, 4, 0, 1)).isGreaterThan(LIMITS.runFinal(PROBLEM, 4, 0, 1));
        assertThat(LIMITS.runFinal(large, 5, 0, 1)).isGreaterThan(LIMITS.runFinal(large, 4, 0, 1));
        assertThat(LIMITS.runFinal(large, 4, 0, 1))
                .as("a peer brings many kernels")
                .isGreaterThan(LIMITS.runFinal(large, 8, 0, 0));
        assertThat(LIMITS.runFinal(large, 48, 16, 1))
                .as("however many of ours there are")
                .isGreaterThan(LIMITS.runFinal(large, 100, 15, 1));
    }

    @Test
    void aFinalMayHaveAllItsTurnsAndAFifthOfThemDiscarded() {
        TimingPlan plan = TimingPlan.STANDARD;
        Problem small = Problem.of(new ProblemShape(1024, 512, 2048), DataType.BF16);
        Problem huge = Problem.of(new ProblemShape(32768, 16384, 65536), DataType.BF16);
        double launch = huge.flops() / 300e12;
        for (FinalPlan each : List.of(plan.calm(), plan.swinging())) {
            double turns = 1.25 * each.rule().mostTurns();
            assertThat(RunnerLimits.STANDARD.runFinal(small, 24, 0, 0))
                    .as("runs of the planned length, on a host that takes as long again")
                    .isGreaterThan(seconds(24
                            * turns
                            * 2
                            * (each.turn().settleNs() + each.turn().timedNs())
                            / 1e9));
            assertThat(RunnerLimits.STANDARD.runFinal(huge, 24, 0, 0))
                    .as("the fewest launches, each of %s s", launch)
                    .isGreaterThan(seconds(24 * turns * 2 * plan.leastLaunches() * launch));
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) (1e3 * seconds));
    }
}
