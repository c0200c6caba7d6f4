package dev.tilewright.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QuantilesTest {

    @Test
    void theMedianOfAnOddSampleIsItsMiddleValue() {
        assertThat(Quantiles.median(5, 1, 9)).isEqualTo(5);
    }

    @Test
    void theMedianOfAnEvenSampleLiesBetweenTheMiddleValues() {
        assertThat(Quantiles.median(1, 9, 5, 2)).isEqualTo(3.5);
    }

    @Test
    void quantilesAreLinearBetweenNeighbours() {
        double[] sample = {40, 10, 20, 30, 50};
        assertThat(Quantiles.quantile(sample, 0)).isEqualTo(10);
        assertThat(Quantiles.quantile(sample, 0.1)).isEqualTo(14);
        assertThat(Quantiles.quantile(sample, 1)).isEqualTo(50);
        assertThat(sample).containsExactly(40, 10, 20, 30, 50);
    }

    @Test
    void refusesWhatHasNoQuantile() {
        assertThatThrownBy(() -> Quantiles.median()).hasMessageContaining("at least one value");
        assertThatThrownBy(() -> Quantiles.median(1, Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> Quantiles.quantile(new double[] {1}, 1.5)).hasMessageContaining("1.5");
    }
}
