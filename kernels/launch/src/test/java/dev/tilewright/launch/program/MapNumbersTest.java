package dev.tilewright.launch.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.element.ElementType;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Numbers of the enumerations of cuda.h. */
class MapNumbersTest {

    @Test
    void typesHaveTheDriversNumbers() {
        assertThat(Arrays.stream(ElementType.values())
                        .filter(type -> type != ElementType.S8 && type != ElementType.S16)
                        .map(MapNumbers::type))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 9, 11, 7, 8, 0, 0);
        assertThatThrownBy(() -> MapNumbers.type(ElementType.S8)).hasMessageContaining("s8");
    }

    @Test
    void swizzlesHaveTheDriversNumbers() {
        assertThat(Stream.of(0, 32, 64, 128).map(MapNumbers::swizzle)).containsExactly(0, 1, 2, 3);
        assertThatThrownBy(() -> MapNumbers.swizzle(16)).hasMessageContaining("got 16");
    }

    @Test
    void promotionsHaveTheDriversNumbers() {
        assertThat(MapNumbers.promotion(0)).isZero();
        assertThat(MapNumbers.promotion(64)).isEqualTo(1);
        assertThat(MapNumbers.promotion(128)).isEqualTo(2);
        assertThat(MapNumbers.promotion(256)).isEqualTo(3);
        assertThatThrownBy(() -> MapNumbers.promotion(32)).hasMessageContaining("got 32");
    }
}
