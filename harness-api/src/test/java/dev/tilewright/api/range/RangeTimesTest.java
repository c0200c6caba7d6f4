package dev.tilewright.api.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.device.LaunchModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Times at each M, from times at some. */
class RangeTimesTest {

    private static final RangedProblem RANGED = new RangedProblem(
            new ShapeRange(1, 4096, 1024, 768), Problem.of(new ShapeRange(1, 4096, 1024, 768).at(1), DataType.BF16));

    private static final Config ONE = Config.of(Map.of("tileM", ParameterValue.of(64)));
    private static final Config OTHER = Config.of(Map.of("tileM", ParameterValue.of(128)));

    /** A microsecond for each row of tiles. */
    private static final LaunchModel WAVES = new LaunchModel() {

        @Override
        public Cost settled(Problem problem, Config config) {
            int rows = Math.ceilDiv(problem.shape().m(), config.whole("tileM"));
            return new Cost(1e3 * rows, 1755, 0, 0, Limit.TENSOR, 1);
        }

        @Override
        public Cost screened(Problem problem, Config config) {
            return settled(problem, config);
        }
    };

    @Test
    void withoutAModelATimeLiesOnTheLineBetween() {
        IntToDoubleFunction time = RangeTimes.of(
                        RANGED,
                        Optional.empty(),
                        List.of(new MeasuredRows(100, Map.of(ONE, 10.0)), new MeasuredRows(400, Map.of(ONE, 40.0))))
                .of(ONE);

        assertThat(time.applyAsDouble(100)).isCloseTo(10, within(1e-9));
        assertThat(time.applyAsDouble(200)).isCloseTo(20, within(1e-9));
        assertThat(time.applyAsDouble(400)).isCloseTo(40, within(1e-9));
    }

    /** Between two times the steps are those of the model: it was 2 and 3 times off at the ends. */
    @Test
    void withAModelItsStepsStay() {
        IntToDoubleFunction time = RangeTimes.of(
                        RANGED,
                        Optional.of(WAVES),
                        List.of(new MeasuredRows(64, Map.of(ONE, 2.0)), new MeasuredRows(256, Map.of(ONE, 12.0))))
                .of(ONE);

        assertThat(time.applyAsDouble(64)).isCloseTo(2, within(1e-9));
        assertThat(time.applyAsDouble(128)).isCloseTo(2 * Math.sqrt(2 * 3), within(1e-9));
        assertThat(time.applyAsDouble(129) / time.applyAsDouble(128)).isCloseTo(1.5, within(0.01));
        assertThat(time.applyAsDouble(256)).isCloseTo(12, within(1e-9));
    }

    /** A kernel that was timed at M = 16 alone counts as a tenth slower from M = 33 on, and up to M = 7. */
    @Test
    void aKernelThatWasNotSeenNearCountsAsSlower() {
        IntToDoubleFunction time = RangeTimes.of(
                        RANGED, Optional.of(WAVES), List.of(new MeasuredRows(16, Map.of(ONE, 3.0))))
                .of(ONE);

        assertThat(time.applyAsDouble(7)).isCloseTo(3.3, within(1e-9));
        assertThat(time.applyAsDouble(8)).isCloseTo(3, within(1e-9));
        assertThat(time.applyAsDouble(32)).isCloseTo(3, within(1e-9));
        assertThat(time.applyAsDouble(33)).isCloseTo(3.3, within(1e-9));
    }

    @Test
    void ofTwoTimesAtOneMTheLastCounts() {
        RangeTimes times = RangeTimes.of(
                RANGED,
                Optional.empty(),
                List.of(new MeasuredRows(16, Map.of(ONE, 3.0, OTHER, 5.0)), new MeasuredRows(16, Map.of(ONE, 4.0))));

        assertThat(times.of(ONE).applyAsDouble(16)).isCloseTo(4, within(1e-9));
        assertThat(times.configs()).containsExactlyInAnyOrder(ONE, OTHER);
    }
}
