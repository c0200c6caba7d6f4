package dev.tilewright.worker.gpu.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeanIntervalTest {

    private static final int RUNS = 4000;

    @Test
    void agreesWithATextbookExample() {
        // Mean 5, standard deviation 2.581989, t(3; 0.975) = 3.182446: half width 4.108520.
        MeanInterval interval = MeanInterval.of(new double[] {2, 8, 4, 6}, 0.95);
        assertThat(interval.mean()).isEqualTo(5);
        assertThat(interval.high() - interval.mean()).isCloseTo(4.108520, within(1e-5));
        assertThat(interval.mean() - interval.low()).isCloseTo(4.108520, within(1e-5));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 40})
    void coversTheTruthAsOftenAsItSays(int blocks) {
        Random random = new Random(20_261_121 + blocks);
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] sample = new double[blocks];
            for (int i = 0; i < blocks; i++) {
                sample[i] = 3 + 0.01 * random.nextGaussian();
            }
            covered += contains(MeanInterval.of(sample, 0.95), 3) ? 1 : 0;
        }
        assertThat(covered / (double) RUNS).isBetween(0.935, 0.965);
    }

    @Test
    void widensForBlocksThatResembleTheirNeighbours() {
        Random random = new Random(7);
        int naive = 0;
        int corrected = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] sample = new double[40];
            double state = random.nextGaussian();
            for (int i = 0; i < sample.length; i++) {
                state = 0.5 * state + Math.sqrt(0.75) * random.nextGaussian();
                sample[i] = state;
            }
            MeanInterval interval = MeanInterval.of(sample, 0.95);
            corrected += contains(interval, 0) ? 1 : 0;
            double shrink = Math.sqrt(interval.effectiveBlocks() / sample.length);
            naive += Math.abs(interval.mean()) <= (interval.high() - interval.mean()) * shrink ? 1 : 0;
        }
        assertThat(naive / (double) RUNS).isLessThan(0.85);
        assertThat(corrected / (double) RUNS).isBetween(0.90, 0.97);
    }

    @Test
    void aSampleWithoutSpreadHasAnIntervalWithoutWidth() {
        MeanInterval interval = MeanInterval.of(new double[] {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, 0.95);
        assertThat(interval).isEqualTo(new MeanInterval(4, 4, 4, 12, 0));
    }

    @Test
    void refusesOneBlock() {
        assertThatThrownBy(() -> MeanInterval.of(new double[] {1}, 0.95)).hasMessageContaining("got 1");
        assertThatThrownBy(() -> MeanInterval.of(new double[] {1, 2}, 95)).hasMessageContaining("95");
    }

    private static boolean contains(MeanInterval interval, double truth) {
        return interval.low() <= truth && truth <= interval.high();
    }
}
