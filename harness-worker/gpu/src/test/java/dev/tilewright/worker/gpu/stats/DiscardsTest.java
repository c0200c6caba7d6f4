package dev.tilewright.worker.gpu.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscardsTest {

    @ParameterizedTest
    @CsvSource({"1, 3, false", "2, 3, true", "1, 7, false", "2, 7, true", "10, 40, false", "11, 40, true"})
    void moreThanAFifthDiscardedIsTooMany(int discarded, int planned, boolean tooMany) {
        assertThat(Discards.tooMany(discarded, planned)).isEqualTo(tooMany);
    }
}
