package dev.tilewright.worker.gpu.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockSummaryTest {

    @Test
    void coversTheMedianOfNoisyDurations() {
        Random random = new Random(1);
        int covered = 0;
        for (int run = 0; run < 4000; run++) {
            double[] durations = new double[7];
            Arrays.setAll(durations, i -> 250_000 * Math.exp(0.01 * random.nextGaussian()));
            BlockSummary summary = BlockSummary.of(durations);
            covered += Objects.requireNonNull(summary.low()) <= 250_000
                            && 250_000 <= Objects.requireNonNull(summary.high())
                    ? 1
                    : 0;
        }
        assertThat(covered / 4000.0).isBetween(0.935, 0.965);
    }

    @Test
    void doesNotDependOnTheUnit() {
        BlockSummary nanos = BlockSummary.of(1000, 1040, 990, 1010, 1020);
        BlockSummary micros = BlockSummary.of(1.000, 1.040, 0.990, 1.010, 1.020);
        assertThat(nanos.median()).isCloseTo(1000 * micros.median(), within(1e-9));
        assertThat(nanos.low()).isCloseTo(1000 * Objects.requireNonNull(micros.low()), within(1e-9));
        assertThat(nanos.high()).isCloseTo(1000 * Objects.requireNonNull(micros.high()), within(1e-9));
    }

    @Test
    void oneOutlierDoesNotMoveTheMedianOutOfTheInterval() {
        double[] durations = new double[40];
        Arrays.fill(durations, 100);
        durations[20] = 5000;
        BlockSummary summary = BlockSummary.of(durations);
        assertThat(summary.median()).isEqualTo(100);
        assertThat(Objects.requireNonNull(summary.low())).isLessThanOrEqualTo(100);
        assertThat(Objects.requireNonNull(summary.high())).isGreaterThan(100);
    }

    @Test
    void twoBlocksHaveAWideIntervalAndOneHasNone() {
        BlockSummary two = BlockSummary.of(10, 10.1);
        assertThat(two.median()).isEqualTo(10.05);
        // Student's quantile of one degree of freedom is 12.7, and half of ln(1.01) is 0.5 %.
        assertThat(Math.log(Objects.requireNonNull(two.high()) / two.median())).isCloseTo(0.0632, within(1e-4));
        assertThat(BlockSummary.of(10)).isEqualTo(new BlockSummary(10, null, null));
    }

    @Test
    void refusesADurationOfZero() {
        assertThatThrownBy(() -> BlockSummary.of(10, 0, 12)).hasMessageContaining("0.0");
    }
}
