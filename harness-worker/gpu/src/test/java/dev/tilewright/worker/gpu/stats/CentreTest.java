package dev.tilewright.worker.gpu.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CentreTest {

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

    @ParameterizedTest
    @CsvSource({"1, 3, false", "2, 3, true", "1, 7, false", "2, 7, true", "10, 40, false", "11, 40, true"})
    void moreThanAFifthDiscardedIsTooMany(int discarded, int planned, boolean tooMany) {
        assertThat(Discards.tooMany(discarded, planned)).isEqualTo(tooMany);
    }
}
