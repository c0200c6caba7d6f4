package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.Extents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Sizes and offsets as a C compiler lays out the structures of cuda.h 13.0. */
class LaunchLayoutTest {

    @Test
    void theLaunchConfigIsLaidOutAsInC() {
        assertThat(LaunchLayout.CONFIG.byteSize()).isEqualTo(56);
        assertThat(LaunchLayout.CONFIG.byteAlignment()).isEqualTo(8);
        assertThat(LaunchLayout.offset("sharedMemBytes")).isEqualTo(24);
        assertThat(LaunchLayout.offset("hStream")).isEqualTo(32);
        assertThat(LaunchLayout.offset("attrs")).isEqualTo(40);
        assertThat(LaunchLayout.offset("numAttrs")).isEqualTo(48);
    }

    private static LaunchGrid grid(Extents cluster, boolean overlaps) {
        return new LaunchGrid(new Extents(132, 3, 2), new Extents(96, 4, 1), cluster, 230_000, overlaps);
    }

    @Test
    void aConfigHoldsGridThreadsAndStream() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = LaunchLayout.config(arena, grid(Extents.of(1), false), 0x1234);
            assertThat(config.asSlice(0, 28).toArray(ValueLayout.JAVA_INT))
                    .containsExactly(132, 3, 2, 96, 4, 1, 230_000);
            assertThat(config.get(ValueLayout.JAVA_LONG, 32)).isEqualTo(0x1234);
            assertThat(config.get(ValueLayout.JAVA_LONG, 40)).isZero();
            assertThat(config.get(ValueLayout.JAVA_INT, 48)).isZero();
        }
    }

    @Test
    @SuppressWarnings("restricted") // reads what the driver would read
    void aLaunchThatOverlapsOrHasClustersSaysSoByAttributes() {
        assertThat(LaunchLayout.ATTRIBUTE.byteSize()).isEqualTo(72);
        assertThat(LaunchLayout.ATTRIBUTE.byteAlignment()).isEqualTo(8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = LaunchLayout.config(arena, grid(new Extents(2, 3, 1), true), 0x1234);
            assertThat(config.get(ValueLayout.JAVA_INT, 48)).isEqualTo(2);
            MemorySegment attributes = config.get(ValueLayout.ADDRESS, 40).reinterpret(2 * 72);
            assertThat(attributes.get(ValueLayout.JAVA_INT, 0)).isEqualTo(6);
            assertThat(attributes.get(ValueLayout.JAVA_INT, 8)).isEqualTo(1);
            assertThat(attributes.get(ValueLayout.JAVA_INT, 72)).isEqualTo(4);
            assertThat(attributes.asSlice(80, 12).toArray(ValueLayout.JAVA_INT)).containsExactly(2, 3, 1);
        }
    }

    @Test
    void structuresOfOtherLibrariesHaveTheirSizes() {
        assertThat(TensorMapEncoder.BYTES).isEqualTo(128);
        assertThat(TensorMapEncoder.ALIGNMENT % 64).isZero();
        assertThat(CublasGemm.RESULT_BYTES).isEqualTo(64 + 8 + 4 + 4 + 4 * 4);
    }

    @Test
    void refusesAGridThatCannotBeLaunched() {
        assertThatThrownBy(() -> LaunchGrid.linear(0, 128, 0)).hasMessageContaining("must be positive");
        assertThatThrownBy(() -> LaunchGrid.linear(1, 2048, 0)).hasMessageContaining("2048");
    }
}
