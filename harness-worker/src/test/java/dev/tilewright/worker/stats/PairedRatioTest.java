package dev.tilewright.worker.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Ratio;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PairedRatioTest {

    @Test
    void isAboveOneForTheFasterArm() {
        Ratio ratio = PairedRatio.of(new double[] {100, 200, 400}, new double[] {110, 220, 440});
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
            Ratio ratio = PairedRatio.of(own, other);
            covered += ratio.low() <= 1.02 && 1.02 <= ratio.high() ? 1 : 0;
            assertThat(ratio.high() - ratio.low()).as("shared noise cancels").isLessThan(0.05);
        }
        assertThat(covered / 4000.0).isBetween(0.935, 0.965);
    }

    @Property(tries = 200)
    void swappingTheLabelsInvertsTheRatio(
            @ForAll @Size(min = 3, max = 12) List<@DoubleRange(min = 1, max = 1e6) Double> durations,
            @ForAll @DoubleRange(min = 0.1, max = 10) double faster) {
        double[] own = durations.stream().mapToDouble(Double::doubleValue).toArray();
        double[] other =
                durations.reversed().stream().mapToDouble(d -> faster * d).toArray();
        Ratio forward = PairedRatio.of(own, other);
        Ratio backward = PairedRatio.of(other, own);
        assertThat(forward.value()).isCloseTo(faster, within(1e-9));
        assertThat(forward.value() * backward.value()).isCloseTo(1, within(1e-9));
        assertThat(Math.log(forward.low()) + Math.log(backward.high())).isCloseTo(0, within(1e-6));
        assertThat(Math.log(forward.high()) + Math.log(backward.low())).isCloseTo(0, within(1e-6));
    }

    @Test
    void doesNotDependOnTheUnit() {
        double[] own = {10, 11, 12, 9};
        double[] other = {12, 12, 13, 11};
        Ratio nanos = PairedRatio.of(own, other);
        Ratio micros = PairedRatio.of(
                Arrays.stream(own).map(x -> x / 1000).toArray(),
                Arrays.stream(other).map(x -> x / 1000).toArray());
        assertThat(micros.value()).isCloseTo(nanos.value(), within(1e-12));
        assertThat(micros.low()).isCloseTo(nanos.low(), within(1e-12));
        assertThat(micros.high()).isCloseTo(nanos.high(), within(1e-12));
    }

    @Test
    void refusesArmsThatDidNotRunInTheSameBlocks() {
        assertThatThrownBy(() -> PairedRatio.of(new double[] {1, 2, 3}, new double[] {1, 2, 3, 4}))
                .hasMessageContaining("3 and 4");
        assertThatThrownBy(() -> PairedRatio.of(new double[] {1, 2}, new double[] {1, 2}))
                .hasMessageContaining("2 and 2");
    }
}
