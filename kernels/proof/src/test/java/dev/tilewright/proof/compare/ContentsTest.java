package dev.tilewright.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentsTest {
    private static BufferDescription buffer(String name, ElementType type, Fill fill, long stride, Long... shape) {
        return new BufferDescription(name, type, List.of(shape), stride, fill, 0);
    }

    private static List<Double> values(BufferDescription buffer, long seed) {
        byte[] bytes = Contents.of(buffer, seed);
        assertThat(bytes).hasSize(Math.toIntExact(buffer.bytes()));
        List<Double> values = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += buffer.type().bytes()) {
            values.add(buffer.type().decode(Elements.get(bytes, at, buffer.type())));
        }
        return values;
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void everyTypeTakesEveryFill(ElementType type) {
        assertThat(values(buffer("x", type, new Fill.Zeros(), 3, 2L, 3L), 1)).containsOnly(0.0);
        assertThat(values(buffer("x", type, new Fill.Iota(1, 2), 3, 2L, 3L), 1))
                .containsExactly(
                        1.0,
                        3.0,
                        5.0,
                        7.0,
                        type == ElementType.E5M2 ? 8.0 : 9.0,
                        type == ElementType.E5M2 ? 12.0 : 11.0);
        assertThat(values(buffer("x", type, new Fill.Constant(type.encode(3), "3"), 2, 2L, 2L), 1))
                .containsOnly(3.0);
        assertThat(values(buffer("x", type, new Fill.Identity(), 3, 2L, 2L, 3L), 1))
                .containsExactly(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        List<Double> whole = values(buffer("x", type, new Fill.Integers(OptionalLong.empty(), 1, 4), 50, 20L, 50L), 1);
        assertThat(whole).contains(1.0, 2.0, 3.0, 4.0).allMatch(v -> v >= 1 && v <= 4 && v == Math.rint(v));
        List<Double> normal = values(buffer("x", type, new Fill.Normal(OptionalLong.empty(), 20, 2), 50, 20L, 50L), 1);
        assertThat(normal.stream().mapToDouble(Double::doubleValue).average().orElse(0))
                .isBetween(19.0, 21.0);
        for (Fill none : List.of(new Fill.Poison(), new Fill.Uninitialised())) {
            byte[] bytes = Contents.of(buffer("x", type, none, 1, 3L, 1L), 1);
            assertThat(Elements.get(bytes, 2 * type.bytes(), type)).isEqualTo(type.poison());
        }
        byte[] packed = new byte[2 * type.bytes()];
        Elements.put(packed, type.bytes(), type, type.encode(5));
        assertThat(values(buffer("x", type, new Fill.Packed(packed, "values"), 2, 2L), 1))
                .containsExactly(0.0, 5.0);
    }

    @Test
    void whatLiesBetweenRowsIsPoison() {
        assertThat(values(buffer("x", ElementType.BF16, new Fill.Iota(0, 1), 4, 2L, 3L), 0))
                .containsExactly(0.0, 1.0, 2.0, Double.NaN, 3.0, 4.0, 5.0, Double.NaN);
    }

    @Test
    void randomContentFollowsItsSeed() {
        Fill free = new Fill.Normal(OptionalLong.empty(), 0, 1);
        Fill fixed = new Fill.Normal(OptionalLong.of(3), 0, 1);
        BufferDescription x = buffer("x", ElementType.F32, free, 9, 9L);
        assertThat(values(x, 1)).isEqualTo(values(x, 1)).isNotEqualTo(values(x, 2));
        assertThat(values(x, 1)).isNotEqualTo(values(buffer("y", ElementType.F32, free, 9, 9L), 1));
        BufferDescription z = buffer("z", ElementType.F32, fixed, 9, 9L);
        assertThat(values(z, 1)).isEqualTo(values(z, 2));
        assertThat(free.varies()).isTrue();
        assertThat(fixed.varies()).isFalse();
    }
}
