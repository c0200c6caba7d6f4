package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.model.problem.DataType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Numbers of the enumerations of cuda.h. */
class TensorMapsTest {

    @Test
    void typesHaveTheDriversNumbers() {
        assertThat(Arrays.stream(DataType.values()).map(TensorMaps::dataType)).containsExactly(9, 6, 7, 0, 0);
    }

    @Test
    void swizzlesHaveTheDriversNumbers() {
        assertThat(Arrays.stream(Swizzle.values()).map(TensorMaps::swizzle)).containsExactly(0, 1, 2, 3);
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
