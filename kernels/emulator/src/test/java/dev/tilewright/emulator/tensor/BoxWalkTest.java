package dev.tilewright.emulator.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BoxWalkTest {
    /** Against element by element arithmetic, in 1 to 5 dimensions, with boxes that hang over on every side. */
    @Draws
    void saysForEachElementWhereItIs(@Between(min = 1, max = 5) int rank, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> dims = new ArrayList<>();
        List<Long> strides = new ArrayList<>();
        List<Integer> box = new ArrayList<>();
        List<Integer> steps = new ArrayList<>();
        int[] at = new int[rank];
        long stride = 16;
        for (int d = 0; d < rank; d++) {
            dims.add((long) random.nextInt(1, 9));
            box.add(d == 0 ? 4 * random.nextInt(1, 4) : random.nextInt(1, 4));
            steps.add(d == 0 ? 1 : random.nextInt(1, 3));
            at[d] = random.nextInt(-6, 9);
            if (d > 0) {
                strides.add(stride);
                stride *= 16;
            }
        }
        TensorMap map = new TensorMap(ScalarType.F32, dims, strides, box, steps, Swizzle.NONE, false);
        int[] rows = {0};
        BoxWalk.walk(map, at, (shared, global, skip, inside) -> {
            int row = rows[0]++;
            assertThat(shared).isEqualTo(row * map.rowBytes());
            int rest = row;
            long expected = at[0] * 4L;
            boolean within = true;
            for (int d = 1; d < rank; d++) {
                int taken = (box.get(d) + steps.get(d) - 1) / steps.get(d);
                long index = at[d] + (long) (rest % taken) * steps.get(d);
                rest /= taken;
                within &= index >= 0 && index < dims.get(d);
                expected += index * strides.get(d - 1);
            }
            for (int i = 0; i < box.getFirst(); i++) {
                boolean inTensor = within && at[0] + i >= 0 && at[0] + i < dims.getFirst();
                boolean said = 4 * i >= skip && 4 * i < skip + inside;
                assertThat(said).as("element " + i + " of row " + row).isEqualTo(inTensor);
            }
            if (within) {
                assertThat(global).isEqualTo(expected);
            }
        });
        assertThat(rows[0]).isEqualTo(map.rows());
    }

    @Test
    void narrowRowsKeepThePitchOfTheSwizzle() {
        TensorMap map =
                TensorMap.tiled(ScalarType.BF16, List.of(100L, 64L), List.of(208L), List.of(48, 64), Swizzle.B128);
        assertThat(map.rowBytes()).isEqualTo(96);
        assertThat(map.pitch()).isEqualTo(128);
        assertThat(map.boxBytes()).isEqualTo(96 * 64);
    }

    @Test
    void refusesWhatTheHardwareWould() {
        assertThatThrownBy(() ->
                        TensorMap.tiled(ScalarType.BF16, List.of(64L, 8L), List.of(136L), List.of(64, 8), Swizzle.NONE))
                .hasMessageContaining("strides of multiples of 16 bytes");
        assertThatThrownBy(() ->
                        TensorMap.tiled(ScalarType.BF16, List.of(64L, 8L), List.of(128L), List.of(64, 8), Swizzle.B64))
                .hasMessageContaining("within the span of the swizzle");
        assertThatThrownBy(() -> TensorMap.tiled(
                        ScalarType.BF16, List.of(64L, 8L), List.of(128L), List.of(64, 257), Swizzle.B128))
                .hasMessageContaining("1..256");
    }
}
