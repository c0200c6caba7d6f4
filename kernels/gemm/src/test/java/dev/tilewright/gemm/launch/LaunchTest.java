package dev.tilewright.gemm.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTest {

    private static Argument.TensorMap map(List<Long> strides, List<Integer> box, Swizzle swizzle) {
        return new Argument.TensorMap(BufferRole.A, 0, DataType.BF16, List.of(512L, 300L), strides, box, swizzle, 128);
    }

    @Test
    void aTensorMapOfTheFamilyIsAccepted() {
        assertThat(map(List.of(1024L), List.of(64, 256), Swizzle.B128).box()).containsExactly(64, 256);
    }

    @Test
    void tensorMapsAreChecked() {
        assertThatThrownBy(() -> map(List.of(), List.of(64, 64), Swizzle.B128))
                .hasMessage("a tensor map of rank 2 has 0 strides and a box of rank 2");
        assertThatThrownBy(() -> map(List.of(1024L), List.of(64), Swizzle.B128))
                .hasMessage("a tensor map of rank 2 has 1 strides and a box of rank 1");
        assertThatThrownBy(() -> map(List.of(1000L), List.of(64, 64), Swizzle.B128))
                .hasMessage("strides of a tensor map are multiples of 16 bytes, got 1000");
        assertThatThrownBy(() -> map(List.of(1024L), List.of(64, 257), Swizzle.B128))
                .hasMessage("box extents of a tensor map are 1..256, got 257");
        assertThatThrownBy(() -> map(List.of(1024L), List.of(64, 0), Swizzle.B128))
                .hasMessage("box extents of a tensor map are 1..256, got 0");
        assertThatThrownBy(() -> map(List.of(1024L), List.of(64, 64), Swizzle.B64))
                .hasMessage("a box row is a multiple of 16 bytes and at most the swizzle span of 64, got 128");
        assertThatThrownBy(() -> map(List.of(1024L), List.of(12, 64), Swizzle.NONE))
                .hasMessageEndingWith("got 24");
    }

    @Test
    void swizzlesBySpan() {
        assertThat(Swizzle.of(64)).isEqualTo(Swizzle.B64);
        assertThatThrownBy(() -> Swizzle.of(16)).hasMessage("a swizzle spans 0, 32, 64 or 128 bytes, got 16");
    }

    @Test
    void aGridIsWholeClusters() {
        assertThatThrownBy(() -> new KernelLaunch("gemm", 131, 384, 2, 0, List.of(), List.of()))
                .hasMessage("a grid is a positive multiple of the cluster size 2, got 131");
        assertThatThrownBy(() -> new KernelLaunch("gemm", 0, 384, 1, 0, List.of(), List.of()))
                .hasMessage("a grid is a positive multiple of the cluster size 1, got 0");
    }
}
