package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.tensor.MapImage;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.type.ScalarType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensor maps that kernels point to, copy and change, from {@code tensor_maps.cu}. */
class TensorMapsInMemoryTest {
    private static final int WIDTH = 16;
    private static final int BOX = 8 * WIDTH;

    private static String text() {
        try (InputStream in = TensorMapsInMemoryTest.class.getResourceAsStream("tensor_maps.ptx")) {
            if (in == null) {
                throw new IllegalStateException("no resource tensor_maps.ptx");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TensorMap map(int rows) {
        return TensorMap.tiled(
                ScalarType.U32,
                List.of((long) WIDTH, (long) rows),
                List.of(4L * WIDTH),
                List.of(WIDTH, 8),
                Swizzle.NONE);
    }

    private static int[] tensor(int first, int rows) {
        int[] words = new int[rows * WIDTH];
        Arrays.setAll(words, i -> first + i);
        return words;
    }

    /** Rows 8 to 15 of a tensor, as far as it has them. */
    private static int[] box(int[] tensor) {
        return Arrays.copyOf(Arrays.copyOfRange(tensor, BOX, tensor.length), BOX);
    }

    private static Buffer with(String name, Argument... arguments) {
        int step = arguments[0] instanceof Argument.Map ? MapImage.BYTES : Long.BYTES;
        Argument.Patch[] patches = new Argument.Patch[arguments.length];
        Arrays.setAll(patches, i -> new Argument.Patch(step * i, arguments[i]));
        return new Buffer(name, new byte[step * arguments.length], 64, true, List.of(patches));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void pointedTo(long seed) {
        int[] first = tensor(1000, 16);
        int[] second = tensor(5000, 13);
        int[] d = new PtxLaunch(text(), "pointed")
                .grid(2, 1, 1)
                .dynamicShared(512)
                .buffer(with("maps", new Argument.Map("X", 0, map(16)), new Argument.Map("Y", 0, map(13))))
                .words("D", new int[2 * BOX])
                .variable("X", PtxLaunch.bytes(first))
                .variable("Y", PtxLaunch.bytes(second))
                .run(seed)
                .words("D");
        assertThat(Arrays.copyOf(d, BOX)).isEqualTo(box(first));
        assertThat(Arrays.copyOfRange(d, BOX, 2 * BOX)).isEqualTo(box(second));
    }

    private static PtxLaunch replaced(String text) {
        return new PtxLaunch(text, "replaced")
                .grid(2, 1, 1)
                .dynamicShared(512)
                .map("X", map(16))
                .buffer(new Buffer("own", new byte[2 * MapImage.BYTES], 64, false))
                .buffer(with("tensors", new Argument.Pointer("Y", 0), new Argument.Pointer("Z", 0)))
                .words("rows", 13, 15)
                .words("D", new int[2 * BOX])
                .variable("X", PtxLaunch.bytes(tensor(0, 16)))
                .variable("Y", PtxLaunch.bytes(tensor(1000, 13)))
                .variable("Z", PtxLaunch.bytes(tensor(5000, 15)));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void replaced(long seed) {
        int[] d = replaced(text()).run(seed).words("D");
        assertThat(Arrays.copyOf(d, BOX)).isEqualTo(box(tensor(1000, 13)));
        assertThat(Arrays.copyOfRange(d, BOX, 2 * BOX)).isEqualTo(box(tensor(5000, 15)));
    }

    private static PtxLaunch inPlace(String text) {
        return new PtxLaunch(text, "inPlace")
                .dynamicShared(512)
                .buffer(with("map", new Argument.Map("X", 0, map(16))))
                .words("Y", tensor(1000, 16))
                .words("D", new int[BOX])
                .variable("X", PtxLaunch.bytes(tensor(0, 16)));
    }

    @Test
    void replacedInPlace() {
        assertThat(inPlace(text()).run(1).words("D")).isEqualTo(box(tensor(1000, 16)));
    }

    @Test
    void withoutAcquire() {
        String acquire = "fence.proxy.tensormap::generic.acquire.gpu";
        String without = text().replaceAll("(?m)^\\s*" + acquire + ".*$", "");
        assertThat(without).doesNotContain(acquire);
        for (PtxLaunch launch : List.of(replaced(without), inPlace(without))) {
            assertThat(launch.finding(1).hazard()).isInstanceOf(Hazard.MissingProxyFence.class);
        }
    }

    @Test
    void withoutRelease() {
        String release = "fence.proxy.tensormap::generic.release.gpu;";
        assertThat(text()).contains(release);
        assertThat(inPlace(text().replace(release, "")).finding(1).hazard())
                .isInstanceOf(Hazard.MissingProxyFence.class);
    }

    /** No rows; an address that is no multiple of 16. */
    @ParameterizedTest
    @CsvSource({"0, 0, extents", "16, 4, multiple of 16"})
    void fieldsThatMakeNoMap(int rows, int offset, String rule) {
        PtxLaunch launch = new PtxLaunch(text(), "replaced")
                .dynamicShared(512)
                .map("X", map(16))
                .buffer(new Buffer("own", new byte[MapImage.BYTES], 64, false))
                .buffer(with("tensors", new Argument.Pointer("X", offset)))
                .words("rows", rows)
                .words("D", new int[BOX])
                .variable("X", PtxLaunch.bytes(tensor(0, 16)));
        assertThat(launch.finding(1).message()).contains("there is no tensor map at generic address", rule);
    }

    @Test
    void bytesThatAreNoMap() {
        PtxLaunch launch = new PtxLaunch(text(), "pointed")
                .dynamicShared(512)
                .words("maps", new int[MapImage.BYTES / 4])
                .words("D", new int[BOX]);
        assertThat(launch.finding(1).hazard()).isInstanceOfAny(Hazard.BadOperand.class, Hazard.MissingProxyFence.class);
    }
}
