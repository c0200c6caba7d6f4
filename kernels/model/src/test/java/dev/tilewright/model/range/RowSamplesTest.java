package dev.tilewright.model.range;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Values of M from a range. */
class RowSamplesTest {

    @Test
    void evenOnesHaveBothEnds() {
        assertThat(RowSamples.even(1, 16384, 15))
                .containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384);
        assertThat(RowSamples.even(3, 5, 16)).containsExactly(3, 4, 5);
        assertThat(RowSamples.even(1, Integer.MAX_VALUE, 2)).containsExactly(1, Integer.MAX_VALUE);
    }

    @Test
    void nearOnesMissNoRowOfAFewAndNoSixtyFourthOfMany() {
        int[] rows = RowSamples.near(1, 20000);
        assertThat(rows).startsWith(1, 2, 3).endsWith(20000).isSorted();
        for (int i = 1; i < rows.length; i++) {
            assertThat(rows[i] - rows[i - 1]).isLessThanOrEqualTo(Math.max(1, rows[i - 1] / 64));
        }
        assertThat(RowSamples.near(1, Integer.MAX_VALUE)).hasSizeLessThan(1300).endsWith(Integer.MAX_VALUE);
    }

    @Test
    void drawnOnesAreNoneOfTheOthers() {
        int[] took = RowSamples.even(1, 4096, 13);
        int[] drawn = RowSamples.drawn(1, 4096, 16, 1, took);
        assertThat(drawn).hasSize(16).isSorted().doesNotContain(took);
        assertThat(RowSamples.drawn(1, 4096, 16, 1, took)).containsExactly(drawn);
        assertThat(RowSamples.drawn(1, 4096, 16, 2, took)).isNotEqualTo(drawn);
    }

    @Test
    void aRangeOfFewHasFewOrNone() {
        assertThat(RowSamples.drawn(1, 2, 4, 1, new int[] {1, 2})).isEmpty();
        assertThat(RowSamples.drawn(1, 3, 4, 1, new int[] {1, 3})).containsExactly(2);
    }
}
