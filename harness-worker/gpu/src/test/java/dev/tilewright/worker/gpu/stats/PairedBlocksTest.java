package dev.tilewright.worker.gpu.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Ratio;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedBlocksTest {

    @Test
    void isAboveOneForTheFasterArm() {
        Ratio ratio = PairedBlocks.of(new double[] {100, 200, 400}, new double[] {110, 220, 440})
                .ratio();
        assertThat(ratio.value()).isCloseTo(1.1, within(1e-12));
        assertThat(ratio.low()).isCloseTo(1.1, within(1e-9));
        assertThat(ratio.high()).isCloseTo(1.1, within(1e-9));
        assertThat(ratio.blocks()).isEqualTo(3);
    }

    @Test
    void coversTheTrueRatioUnderNoiseThatTheArmsShare() {
        Random random = new Random(42);
        int covered = 0;
        for (int run = 0; run < 4000; run++) {
            double[] own = new double[7];
            double[] other = new double[7];
            for (int block = 0; block < own.length; block++) {
                double shared = Math.exp(0.05 * random.nextGaussian());
                own[block] = 300 * shared * Math.exp(0.004 * random.nextGaussian());
                other[block] = 306 * shared * Math.exp(0.004 * random.nextGaussian());
            }
            Ratio ratio = PairedBlocks.of(own, other).ratio();
            covered += ratio.low() <= 1.02 && 1.02 <= ratio.high() ? 1 : 0;
            assertThat(ratio.high() - ratio.low()).as("shared noise cancels").isLessThan(0.05);
        }
        assertThat(covered / 4000.0).isBetween(0.935, 0.965);
    }

    @Test
    void eachBoundOfARatioMayHaveAnErrorOfItsOwn() {
        PairedBlocks blocks = PairedBlocks.of(new double[] {300, 310, 290, 305}, new double[] {306, 312, 300, 308});
        assertThat(blocks.ratio(0.025, 0.025)).isEqualTo(blocks.ratio());
        assertThat(blocks.ratio(0.01, 0.025).low()).isLessThan(blocks.ratio().low());
        assertThat(blocks.ratio(0.01, 0.025).high()).isEqualTo(blocks.ratio().high());
        assertThat(blocks.ratio(0.025, 0.01).high())
                .isGreaterThan(blocks.ratio().high());
    }

    static List<Double> durations(Draw draw) {
        return draw.list(3, 12, each -> each.between(1, 1e6));
    }

    @Draws
    void swappingTheLabelsInvertsTheRatio(
            @From("durations") List<Double> durations, @Between(min = 0.1, max = 10) double faster) {
        double[] own = durations.stream().mapToDouble(Double::doubleValue).toArray();
        double[] other =
                durations.reversed().stream().mapToDouble(d -> faster * d).toArray();
        Ratio forward = PairedBlocks.of(own, other).ratio();
        Ratio backward = PairedBlocks.of(other, own).ratio();
        assertThat(forward.value()).isCloseTo(faster, within(1e-9));
        assertThat(forward.value() * backward.value()).isCloseTo(1, within(1e-9));
        assertThat(Math.log(forward.low()) + Math.log(backward.high())).isCloseTo(0, within(1e-6));
        assertThat(Math.log(forward.high()) + Math.log(backward.low())).isCloseTo(0, within(1e-6));
    }

    @Test
    void doesNotDependOnTheUnit() {
        double[] own = {10, 11, 12, 9};
        double[] other = {12, 12, 13, 11};
        Ratio nanos = PairedBlocks.of(own, other).ratio();
        Ratio micros = PairedBlocks.of(
                        Arrays.stream(own).map(x -> x / 1000).toArray(),
                        Arrays.stream(other).map(x -> x / 1000).toArray())
                .ratio();
        assertThat(micros.value()).isCloseTo(nanos.value(), within(1e-12));
        assertThat(micros.low()).isCloseTo(nanos.low(), within(1e-12));
        assertThat(micros.high()).isCloseTo(nanos.high(), within(1e-12));
    }

    @Test
    void refusesArmsThatDidNotRunInTheSameBlocks() {
        assertThatThrownBy(() -> PairedBlocks.of(new double[] {1, 2, 3}, new double[] {1, 2, 3, 4}))
                .hasMessageContaining("3 and 4");
        assertThatThrownBy(() -> PairedBlocks.of(new double[] {1}, new double[] {1}))
                .hasMessageContaining("1 and 1");
    }

    @Test
    void theEffectHasTheOppositeSignForSwappedLabelsAndTheSameUncertainty() {
        double[] first = {100, 101, 99.5, 102, 100.5, 98};
        double[] second = {103, 102.5, 101, 104, 103, 101};
        boolean[] order = {false, true, true, false, false, true};
        boolean[] swapped = {true, false, false, true, true, false};
        Effect forward = Effect.of(PairedBlocks.of(first, second), order, 0.01, 1);
        Effect backward = Effect.of(PairedBlocks.of(second, first), swapped, 0.01, 1);
        assertThat(forward.mean()).isCloseTo(-backward.mean(), within(1e-15)).isPositive();
        assertThat(forward.median()).isCloseTo(-backward.median(), within(1e-15));
        assertThat(forward.hodgesLehmann()).isCloseTo(-backward.hodgesLehmann(), within(1e-15));
        assertThat(forward.low()).isCloseTo(-backward.high(), within(1e-15));
        assertThat(forward.p()).isEqualTo(backward.p()).isEqualTo(2 / 64.0);
        assertThat(forward.leastDetectable()).isCloseTo(backward.leastDetectable(), within(1e-15));
        assertThat(forward.order().orElseThrow().gamma())
                .as("whoever runs first is slower by the same")
                .isCloseTo(backward.order().orElseThrow().gamma(), within(1e-15));
    }

    @Test
    void theEffectOfTheOrderIsFoundAndLeavesTheEstimateAlone() {
        Random random = new Random(3);
        double[] first = new double[40];
        double[] second = new double[40];
        boolean[] secondFirst = new boolean[40];
        for (int block = 0; block < 40; block++) {
            secondFirst[block] = block % 4 == 1 || block % 4 == 2;
            double noise = 0.001 * random.nextGaussian();
            first[block] = 200;
            second[block] = 202 * Math.exp(noise + (secondFirst[block] ? 0.005 : -0.005));
        }
        Effect effect = Effect.of(PairedBlocks.of(first, second), secondFirst, 0.01, 1);
        assertThat(effect.order().orElseThrow().gamma()).isCloseTo(0.005, within(0.0006));
        assertThat(effect.percent()).isCloseTo(1, within(0.1));
        assertThat(Effect.of(PairedBlocks.of(first, second), new boolean[40], 0.01, 1)
                        .order())
                .as("one order")
                .isEmpty();
    }

    @Test
    void theLeastDetectableEffectIsSeenInNineOfTen() {
        Random random = new Random(11);
        double deviation = 0.003;
        int blocks = 9;
        double effect = 0.00425;
        int seen = 0;
        double promised = 0;
        for (int run = 0; run < 4000; run++) {
            double[] first = new double[blocks];
            double[] second = new double[blocks];
            for (int i = 0; i < blocks; i++) {
                first[i] = 1;
                second[i] = Math.exp(effect + deviation * random.nextGaussian());
            }
            Effect found = Effect.of(PairedBlocks.of(first, second), new boolean[blocks], 0.01, 1);
            promised += found.leastDetectable();
            seen += found.low() > 0 ? 1 : 0;
        }
        assertThat(promised / 4000).as("what is promised").isCloseTo(effect, within(0.0002));
        assertThat(seen / 4000.0).isBetween(0.86, 0.94);
    }
}
