package dev.tilewright.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockMeanTest {

    private static final int RUNS = 4000;

    @Test
    void agreesWithATextbookExample() {
        // Mean 5, standard deviation 2.581989, t(3; 0.975) = 3.182446: half width 4.108520.
        BlockMean mean = BlockMean.of(2, 8, 4, 6);
        assertThat(mean.mean()).isEqualTo(5);
        assertThat(mean.high(0.025) - mean.mean()).isCloseTo(4.108520, within(1e-5));
        assertThat(mean.mean() - mean.low(0.025)).isCloseTo(4.108520, within(1e-5));
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
            covered += contains(BlockMean.of(sample), 3) ? 1 : 0;
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
            BlockMean interval = BlockMean.of(sample);
            corrected += contains(interval, 0) ? 1 : 0;
            double shrink = Math.sqrt(interval.effectiveBlocks() / sample.length);
            naive += Math.abs(interval.mean()) <= (interval.high(0.025) - interval.mean()) * shrink ? 1 : 0;
        }
        assertThat(naive / (double) RUNS).isLessThan(0.85);
        assertThat(corrected / (double) RUNS).isBetween(0.90, 0.97);
    }

    @Test
    void aSampleWithoutSpreadHasAnIntervalWithoutWidth() {
        BlockMean mean = BlockMean.of(4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4);
        assertThat(mean).isEqualTo(new BlockMean(4, 0, 12, 12));
        assertThat(mean.low(0.01)).isEqualTo(4).isEqualTo(mean.high(0.01));
        assertThat(mean.normalDistance(4)).isZero();
        assertThat(mean.normalDistance(5)).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void theNormalDistanceHasTheProbabilityOfStudentsVariable() {
        // t(3; 0.975) = 3.182446, and the normal variable exceeds 1.959964 with the same probability.
        BlockMean mean = BlockMean.of(2, 8, 4, 6);
        assertThat(mean.normalDistance(5 - 4.108520)).isCloseTo(1.959964, within(1e-5));
        assertThat(mean.normalDistance(5 + 4.108520)).isCloseTo(-1.959964, within(1e-5));
    }

    @Test
    void refusesOneBlock() {
        assertThatThrownBy(() -> BlockMean.of(1)).hasMessageContaining("got 1");
        assertThatThrownBy(() -> BlockMean.of(1, 2).low(95)).hasMessageContaining("95");
    }

    private static boolean contains(BlockMean interval, double truth) {
        return interval.low(0.025) <= truth && truth <= interval.high(0.025);
    }
}
