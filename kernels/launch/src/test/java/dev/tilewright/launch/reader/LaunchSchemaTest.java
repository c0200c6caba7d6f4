package dev.tilewright.launch.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.launch.document.DocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema in {@code docs/} and the reader say the same. */
class LaunchSchemaTest {
    private static final Path EXAMPLES = Path.of("..", "..", "docs", "examples", "check");

    private Schema schema;

    @BeforeEach
    void load() throws IOException {
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("..", "..", "docs", "launch.schema.json")));
    }

    private List<Error> errors(String yaml) {
        return schema.validate(yaml, InputFormat.YAML);
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void acceptsTheExamples(Path example) throws IOException {
        assertThat(errors(Files.readString(example))).isEmpty();
        assertThat(LaunchReader.read(example).expected()).isNotEmpty();
    }

    private static final String WHOLE = """
        entry: k
        grid: [4, 2]
        block: 64
        cluster: 2
        dynamicShared: 1024
        buffers:
          A: {dtype: bf16, shape: [3, 64, 48], rowStride: 56, init: {normal: {seed: 7, mean: 1.5, std: 0.5}}, guard: 0}
          C: {dtype: u8, shape: 16, init: {constant: "0xff"}}
          D: {dtype: f32, shape: [3, 64, 64], init: zeros}
          V: {dtype: f16, shape: 70, init: normal}
          P: {dtype: e5m2, shape: [3, 64, 48], init: normal}
          S: {dtype: f32, shape: [3, 64], init: {logUniform: {seed: 2, low: 0.25, high: 1.5}}}
          E: {dtype: e4m3, shape: 2, init: {values: [1, 0.5]}}
        parameters:
          - tensorMap: {buffer: A, box: [16, 8, 1], swizzle: 32, oobFill: nan, interleave: none, l2Promotion: 128}
          - pointer: {buffer: D, element: 3}
          - pointer: D
          - f32: -0.5
          - nullPointer
          - bytes: "00 fF"
          - struct: {size: 24, bytes: "000102030405060708090a0b0c0d0e0f1011121314151617", fields: [{at: 0, pointer: C}, {at: 8, u16: 7}, {at: 16, nullPointer: null}]}
        expect:
          - gemm: {a: A, b: {buffer: A, layout: NK}, d: D, c: D, bias: V, tolerance: {absolute: 0.001},
                   epilogue: "alpha=2, beta=-.5,bias,gelu,clamp=-1..2.5e1"}
          - gemm: {a: A, b: A, d: D, epilogue: "relu,beta=0", tolerance: bound}
          - gemm: {a: A, b: A, d: D, tolerance: {bound: {c: 3}}}
          - gemm: {a: P, b: P, d: D, scales: {kind: row, a: S, b: S}}
          - values: {buffer: E, values: [1, 0.5], tolerance: exact}
          - unchanged: C
        """;

    @Test
    void acceptsEverythingThereIs() throws IOException {
        assertThat(errors(WHOLE)).isEmpty();
        assertThat(LaunchReader.read(WHOLE, false, Path.of(".")).parameters()).hasSize(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "block: 64 -> blok: 64",
                "grid: [4, 2] -> grid: [0, 2]",
                "grid: [4, 2] -> grid: [4, 2, 1, 1]",
                "dynamicShared: 1024 -> dynamicShared: 300000",
                "dtype: u8 -> dtype: byte",
                "guard: 0 -> guards: 0",
                "init: zeros -> init: zeors",
                "seed: 7 -> sead: 7",
                "swizzle: 32 -> swizzle: 16",
                "oobFill: nan -> oobFill: ones",
                "interleave: none -> interleave: 16",
                "box: [16, 8, 1] -> box: [16, 8, 257]",
                "box: [16, 8, 1], -> ",
                "element: 3 -> element: 3, offset: 2",
                "f32: -0.5 -> f33: -0.5",
                "f32: -0.5 -> f32: half",
                "at: 8, u16: 7 -> at: 8",
                "size: 24, -> ",
                "layout: NK -> layout: XY",
                "low: 0.25 -> low: 0",
                "kind: row -> kind: tensor",
                "kind: row, -> ",
                "a: S, b: S -> a: S",
                "absolute: 0.001 -> absolute: -1",
                "tolerance: exact -> tolerance: bound",
                "unchanged: C -> same: C",
                "alpha=2 -> alpha=two",
                "alpha=2 -> alpha",
                ",gelu -> ,swish",
                ",bias -> ,bias-k",
                ",bias, -> ,",
                ",bias -> ,bias=1",
                "-1..2.5e1 -> 1.5",
                "beta=-.5 -> beta=0",
                " beta=-.5, -> ",
                "c: D,  -> ",
                "bias: V,  -> ",
                "bias: V -> bias: {buffer: V}",
                "epilogue: \"alpha -> alpha: 2, epilogue: \"alpha",
                "bytes: \"0001 -> bytes: \"00zz"
            })
    void refusesWhatTheReaderRefuses(String change) {
        String[] parts = change.split(" ->", -1);
        assertThat(WHOLE).contains(parts[0]);
        String damaged = WHOLE.replaceFirst(java.util.regex.Pattern.quote(parts[0]), parts[1].strip());
        assertThat(errors(damaged)).as(change).isNotEmpty();
        assertThatThrownBy(() -> LaunchReader.read(damaged, false, Path.of(".")))
                .as(change)
                .isInstanceOf(DocumentException.class);
    }
}
