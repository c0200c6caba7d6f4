package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gate.document.Margins;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StageBoundsTest {

    private static final int RUNS = 10_000;
    private static final StageBounds.Rule RULE = new StageBounds.Rule(GateRule.STANDARD, Margins.STANDARD);

    private static double[] normal(Random random, double mean) {
        double[] blocks = new double[40];
        Arrays.setAll(blocks, i -> mean + Blocks.DEVIATION * random.nextGaussian());
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void anIntervalOfFortyBlocksHoldsTheTruthAsOftenAsItSays(double truth) {
        StageBounds.Rule rule = new StageBounds.Rule(new GateRule(0.005, List.of(40)), Margins.STANDARD);
        Random random = new Random(20261125);
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            StageBounds bounds = rule.bounds(normal(random, truth));
            covered += bounds.low() <= truth && truth <= bounds.high() ? 1 : 0;
        }
        assertThat(covered / (double) RUNS).isBetween(0.985, 0.995);
    }

    /** Timing ended by what was seen must not make a bound say more than it may. At the margin it is sharp. */
    @ParameterizedTest
    @CsvSource({"0, 1", "0.005, 0.9975", "0.00995, 0.995", "0.015, 1", "0.02, 1"})
    void eachBoundHoldsTheTruthOverAllLooks(double truth, double most) {
        Random random = new Random(20261125 + (long) (1e5 * truth));
        int low = 0;
        int high = 0;
        int early = 0;
        for (int run = 0; run < RUNS; run++) {
            StageBounds bounds = RULE.bounds(normal(random, truth));
            low += bounds.low() <= truth ? 1 : 0;
            high += bounds.high() >= truth ? 1 : 0;
            early += bounds.seen().blocks() < 40 ? 1 : 0;
        }
        assertThat(low / (double) RUNS).as("lower, %d ended early", early).isBetween(0.985, most);
        assertThat(high / (double) RUNS).as("upper, %d ended early", early).isBetween(0.985, most);
    }

    /** A little less than uniform: an autocorrelation is never taken as negative. */
    @Test
    void pIsUniformAtTheMarginOverAllLooks() {
        Random random = new Random(5);
        double margin = Blocks.slower(1);
        int[] below = new int[3];
        double[] levels = {0.001, 0.01, 0.1};
        for (int run = 0; run < RUNS; run++) {
            double p = RULE.bounds(normal(random, margin)).p();
            for (int i = 0; i < levels.length; i++) {
                below[i] += p <= levels[i] ? 1 : 0;
            }
        }
        assertThat(below[0]).isBetween(1, 20);
        assertThat(below[1]).isBetween(70, 130);
        assertThat(below[2]).isBetween(800, 1100);
    }

    @Test
    void boundsAndProbabilitySayTheSameOfTheMargin() {
        Random random = new Random(6);
        int failed = 0;
        for (int run = 0; run < 2000; run++) {
            StageBounds bounds = RULE.bounds(normal(random, 0.0125));
            assertThat(bounds.low() > Blocks.slower(1)).isEqualTo(bounds.p() < 0.01);
            failed += bounds.p() < 0.01 ? 1 : 0;
        }
        assertThat(failed).isBetween(200, 1800);
    }

    /** The order of outcomes by its definition, drawn. */
    @ParameterizedTest
    @CsvSource({"0, 2.1", "1, 1.2", "2, 1.5", "2, -0.3"})
    void aProbabilityIsTheShareOfOutcomesAtLeastAsFarUp(int look, double value) {
        // An error that is spent early, so that there is something to see.
        Boundary boundary = Boundary.of(List.of(50, 80, 100), 0.2);
        Random random = new Random(8);
        int further = 0;
        int paths = 200_000;
        for (int path = 0; path < paths; path++) {
            further += isFurther(boundary, random, look, value) ? 1 : 0;
        }
        assertThat(boundary.probability(look, value)).isCloseTo(further / (double) paths, within(0.0035));
    }

    private static boolean isFurther(Boundary boundary, Random random, int end, double value) {
        double place = 0;
        double before = 0;
        for (int look = 0; look < end; look++) {
            double time = boundary.times().get(look);
            place += Math.sqrt(time - before) * random.nextGaussian();
            before = time;
            if (place > boundary.critical().get(look) * Math.sqrt(time)) {
                return true;
            }
        }
        double time = boundary.times().get(end);
        return place + Math.sqrt(time - before) * random.nextGaussian() >= value * Math.sqrt(time);
    }

    @Test
    void swappingTheLabelsSwapsTheBounds() {
        Random random = new Random(7);
        // With equal margins and one case the rule is the same for both labels.
        Margins margins = new Margins(0.6, 0.6);
        for (int run = 0; run < 50; run++) {
            double[] blocks = normal(random, 0.004);
            StageBounds one = StageBounds.of(GateRule.STANDARD, margins, blocks);
            StageBounds other = StageBounds.of(
                    GateRule.STANDARD,
                    margins,
                    Arrays.stream(blocks).map(y -> -y).toArray());
            assertThat(other.seen().blocks()).isEqualTo(one.seen().blocks());
            assertThat(other.low()).isCloseTo(-one.high(), within(1e-12));
            assertThat(other.high()).isCloseTo(-one.low(), within(1e-12));
        }
    }

    @Test
    void blocksThatDoNotVaryHaveBoundsWithoutWidth() {
        double[] blocks = new double[40];
        Arrays.fill(blocks, 0.02);
        StageBounds bounds = StageBounds.of(GateRule.STANDARD, Margins.STANDARD, blocks);
        assertThat(bounds.low())
                .isEqualTo(bounds.high())
                .isEqualTo(bounds.seen().mean());
        assertThat(bounds.p()).isZero();
        assertThat(bounds.seen().blocks()).isEqualTo(10);
    }
}
