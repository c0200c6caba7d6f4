package dev.tilewright.launch.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.Fill;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LaunchWriterTest {

    private static final String WHOLE = """
        entry: "k$1"
        grid: [4, 2]
        block: 64
        cluster: 2
        dynamicShared: 1024
        launchOverlap: true
        buffers:
          A: {dtype: bf16, shape: [3, 64, 48], rowStride: 56, init: {normal: {seed: 7, mean: 1.5, std: 0.5}}, guard: 0}
          C: {dtype: u8, shape: 16, init: {constant: 255}}
          D: {dtype: f32, shape: [3, 64, 64], init: zeros}
          E: {dtype: e4m3, shape: 2, init: {values: [1, nan]}}
          F: {dtype: u8, shape: 256, init: {fields: [{at: 0, pointer: D}, {at: 128, tensorMap: {buffer: A, box: [16, 8, 1]}}]}}
          G: {dtype: s32, shape: 3, init: {integers: {low: -1, high: 3}}}
          N: {dtype: f64, shape: 3, init: {iota: {start: 0.1, step: 0.3}}}
          P: {dtype: e5m2, shape: [3, 64, 48], init: normal}
          S: {dtype: f32, shape: [3, 64], init: {logUniform: {seed: 2, low: 0.25, high: 1.5}}}
          V: {dtype: f16, shape: [3, 64], init: normal}
        parameters:
          - tensorMap: {buffer: A, box: [16, 8, 1], swizzle: 32, oobFill: nan, interleave: none, l2Promotion: 128}
          - pointer: {buffer: D, element: 3}
          - pointer: D
          - {f32: -0.5, is: scale}
          - {u32: 4294967295, is: gpcs}
          - f32: 0xff800000
          - bytes: "00 fF"
          - struct: {size: 24, fields: [{at: 0, pointer: C}, {at: 8, u16: 7}]}
        expect:
          - gemm: {a: A, b: {buffer: A, layout: NK}, d: D, c: D, bias: V, tolerance: {absolute: 0.001},
                   epilogue: "alpha=2.1,beta=-0.5,bias-m,gelu,clamp=-1e-3..6"}
          - gemm: {a: A, b: A, d: D, tolerance: {bound: {c: 3}}}
          - gemm: {a: P, b: P, d: D, scales: {kind: row, a: S, b: S}, epilogue: relu}
          - values: {buffer: E, values: [1, 0.5], tolerance: exact}
          - unchanged: C
        """;

    @Test
    void whatIsWrittenIsReadBackAsTheSame() {
        LaunchDescription launch = LaunchReader.described(WHOLE);

        String written = LaunchWriter.yaml(List.of("a title"), launch);

        assertThat(written).startsWith("# a title\nentry: \"k$1\"\ngrid: [4, 2, 1]\n");
        assertThat(LaunchReader.described(written)).isEqualTo(launch);
        // JSON is YAML too.
        assertThat(LaunchReader.described(LaunchWriter.json(launch))).isEqualTo(launch);
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "..", "docs", "examples", "check"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void soAreTheExamples(Path example) {
        LaunchDescription launch = LaunchReader.read(example);
        if (launch.buffers().stream().anyMatch(buffer -> buffer.fill() instanceof Fill.Packed)) {
            return;
        }
        assertThat(LaunchReader.described(LaunchWriter.yaml(List.of(), launch))).isEqualTo(launch);
    }

    @Test
    void aLaunchWithoutBuffersHasNone() {
        LaunchDescription launch = LaunchReader.described(
                "{grid: 1, block: 32, buffers: {A: {dtype: u8, shape: 1}}," + " expect: [unchanged: A]}");
        LaunchDescription bare = new LaunchDescription(
                launch.entry(),
                launch.grid(),
                launch.block(),
                launch.cluster(),
                launch.dynamicShared(),
                launch.launchOverlap(),
                launch.buffers(),
                List.of(),
                launch.expected());

        assertThat(LaunchReader.described(LaunchWriter.yaml(List.of(), bare))).isEqualTo(bare);
    }
}
