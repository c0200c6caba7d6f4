package dev.tilewright.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;

class SignFlipTest {

    @Test
    void countsSmallCasesExactly() {
        // Sums of all flips of 1, 2, 4 are -7, -5, -3, -1, 1, 3, 5, 7.
        assertThat(SignFlip.greater(new double[] {1, 2, 4}, 1)).isEqualTo(1 / 8.0);
        assertThat(SignFlip.greater(new double[] {-1, 2, 4}, 1)).isEqualTo(2 / 8.0);
        assertThat(SignFlip.greater(new double[] {1, 2, -4}, 1)).isEqualTo(5 / 8.0);
        assertThat(SignFlip.twoSided(new double[] {1, 2, 4}, 1)).isEqualTo(2 / 8.0);
        assertThat(SignFlip.twoSided(new double[] {1, 2, -4}, 1)).isEqualTo(1.0);
        assertThat(SignFlip.twoSided(new double[] {0, 0}, 1)).isEqualTo(1.0);
    }

    @Test
    void equalSumsAreCountedAsEqualWhateverTheirRounding() {
        // 0.1 + 0.2 - 0.3 is not 0 in doubles, nor is its negative.
        assertThat(SignFlip.twoSided(new double[] {0.1, 0.2, -0.3}, 1)).isEqualTo(1.0);
        assertThat(SignFlip.greater(new double[] {0.1, 0.2, -0.3}, 1)).isEqualTo(5 / 8.0);
    }

    @Test
    void aSampleOfOneSignHasTheLeastExactValue() {
        double[] blocks = new double[16];
        Arrays.fill(blocks, 0.01);
        assertThat(SignFlip.greater(blocks, 1)).isEqualTo(1 / 65_536.0);
    }

    @Test
    void withMoreBlocksFlipsAreDrawnByTheSeedAndNeverGiveZero() {
        double[] blocks = new double[40];
        Arrays.fill(blocks, 0.01);
        assertThat(SignFlip.greater(blocks, 1)).isEqualTo(1 / 100_001.0);
        Random random = new Random(4);
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = 0.001 + 0.01 * random.nextGaussian();
        }
        double p = SignFlip.twoSided(blocks, 1);
        assertThat(SignFlip.twoSided(blocks, 1)).isEqualTo(p);
        assertThat(SignFlip.twoSided(blocks, 2)).isCloseTo(p, within(0.01)).isNotEqualTo(p);
    }

    @Test
    void agreesWithStudentOnNormalBlocks() {
        Random random = new Random(9);
        double[] blocks = new double[60];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = 0.0004 + 0.003 * random.nextGaussian();
        }
        BlockMean interval = BlockMean.of(blocks);
        double t = Math.abs(interval.mean()) / (interval.deviation() / Math.sqrt(blocks.length));
        double student = 2 * TDistribution.of(blocks.length - 1).survivalProbability(t);
        assertThat(SignFlip.twoSided(blocks, 1)).isCloseTo(student, within(0.01));
    }

    @Test
    void isUniformUnderNoEffect() {
        Random random = new Random(5);
        int below = 0;
        for (int run = 0; run < 2000; run++) {
            double[] blocks = new double[8];
            for (int i = 0; i < blocks.length; i++) {
                blocks[i] = random.nextGaussian();
            }
            below += SignFlip.twoSided(blocks, 1) <= 0.1 ? 1 : 0;
        }
        // 8 blocks have 128 pairs of flips: the greatest level up to 0.1 is 12/128 = 0.09375.
        assertThat(below / 2000.0).isBetween(0.075, 0.113);
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> SignFlip.twoSided(new double[0], 1)).hasMessageContaining("at least one block");
    }
}
