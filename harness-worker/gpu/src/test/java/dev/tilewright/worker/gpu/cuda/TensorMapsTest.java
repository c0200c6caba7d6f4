package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.element.ElementType;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Numbers of the enumerations of cuda.h. */
class TensorMapsTest {

    @Test
    void typesHaveTheDriversNumbers() {
        assertThat(Arrays.stream(ElementType.values())
                        .filter(type -> type != ElementType.S8 && type != ElementType.S16)
                        .map(TensorMaps::dataType))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 9, 11, 7, 8, 0, 0);
        assertThatThrownBy(() -> TensorMaps.dataType(ElementType.S8)).hasMessageContaining("s8");
    }

    @Test
    void swizzlesHaveTheDriversNumbers() {
        assertThat(Stream.of(0, 32, 64, 128).map(TensorMaps::swizzle)).containsExactly(0, 1, 2, 3);
        assertThatThrownBy(() -> TensorMaps.swizzle(16)).hasMessageContaining("got 16");
    }

    @Test
    void promotionsHaveTheDriversNumbers() {
        assertThat(TensorMaps.promotion(0)).isZero();
        assertThat(TensorMaps.promotion(64)).isEqualTo(1);
        assertThat(TensorMaps.promotion(128)).isEqualTo(2);
        assertThat(TensorMaps.promotion(256)).isEqualTo(3);
        assertThatThrownBy(() -> TensorMaps.promotion(32)).hasMessageContaining("got 32");
    }
}
