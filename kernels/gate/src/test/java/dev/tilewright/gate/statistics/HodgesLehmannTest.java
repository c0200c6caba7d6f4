package dev.tilewright.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HodgesLehmannTest {

    @Test
    void hodgesLehmannIsTheMedianOfTheMeansOfPairs() {
        // Means of pairs of 1, 2, 6: 1, 1.5, 3.5, 2, 4, 6.
        assertThat(HodgesLehmann.centre(1, 2, 6)).isEqualTo(2.75);
        assertThat(HodgesLehmann.centre(5)).isEqualTo(5);
    }

    @Test
    void oneWildValueHardlyMovesIt() {
        double[] tame = {1, 1.1, 0.9, 1.05, 0.95, 1, 1.02, 0.98};
        double[] wild = tame.clone();
        wild[3] = 100;
        assertThat(HodgesLehmann.centre(wild)).isCloseTo(HodgesLehmann.centre(tame), within(0.05));
    }

    @Test
    void refusesWhatIsNotFinite() {
        assertThatThrownBy(() -> HodgesLehmann.centre(1, Double.NaN)).hasMessageContaining("finite");
        assertThatThrownBy(HodgesLehmann::centre).hasMessageContaining("at least one");
    }
}
