package dev.tilewright.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrawTest {

    @ParameterizedTest
    @CsvSource({"1, 5000", "-7, 3", "-9, -2", "0, 2147483647", "-2147483648, 2147483647", "4, 4"})
    void bothEndsAreDrawnAndNothingOutside(int min, int max) {
        Draw draw = new Draw(5);
        Set<Integer> drawn = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            drawn.add(draw.between(min, max));
        }
        assertThat(drawn).contains(min, max).allMatch(value -> value >= min && value <= max);
    }

    @Test
    void eachValueOfASmallRangeIsDrawn() {
        Draw draw = new Draw(6);
        assertThat(IntStream.range(0, 500)
                        .map(_ -> draw.between(3, 12))
                        .distinct()
                        .sorted())
                .containsExactly(3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    @Test
    void anEmptyRangeIsRefused() {
        assertThatThrownBy(() -> new Draw(1).between(3, 2))
                .hasMessage("the range of a draw must not be empty, got 3 to 2");
    }

    @Test
    void equalSeedsDrawEqualValues() {
        assertThat(values(new Draw(7))).isEqualTo(values(new Draw(7))).isNotEqualTo(values(new Draw(8)));
    }

    private static List<Object> values(Draw draw) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            values.add(draw.anyLong());
            values.add(draw.anyDouble());
            values.add(draw.text(0, 9));
            values.add(draw.some(List.of(1, 2, 3, 4, 5), 3));
        }
        return values;
    }

    @Test
    void aTextHasNoHalfOfAPair() {
        Draw draw = new Draw(9);
        for (int i = 0; i < 200; i++) {
            assertThat(draw.text(0, 40).chars()).noneMatch(c -> Character.isSurrogate((char) (int) c));
        }
    }

    @Test
    void aSelectionKeepsItsOrder() {
        List<Integer> all = IntStream.range(0, 100).boxed().toList();
        assertThat(new Draw(3).some(all, 10)).hasSize(10).isSorted().doesNotHaveDuplicates();
        assertThat(new Draw(3).some(all, 200)).isEqualTo(all);
    }
}
