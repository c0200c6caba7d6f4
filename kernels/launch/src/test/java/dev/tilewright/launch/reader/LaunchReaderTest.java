package dev.tilewright.launch.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Scales;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchReaderTest {
    private static final String BUFFERS = "buffers: {A: {dtype: bf16, shape: [6, 32], init: normal}, B: {dtype: bf16,"
            + " shape: [5, 32], init: normal}, D: {dtype: f32, shape: [6, 5]}, V: {dtype: s32, shape: 4}}";

    @TempDir
    private Path directory;

    private LaunchDescription read(String text) {
        return LaunchReader.read(text, false, directory);
    }

    /** A description that is right but for the lines that stand for {@code rest}. */
    private static String with(String rest) {
        String text = "grid: 1\nblock: 32\n" + BUFFERS + "\n";
        return rest.contains("expect:") ? text + rest : text + "expect: [unchanged: A]\n" + rest;
    }

    @Test
    void readsBuffersOfPointersAndTensorMaps() {
        LaunchDescription launch = read("""
            grid: 1
            block: 32
            buffers:
              maps: {dtype: u8, shape: 128, init: {fields: [{at: 0, tensorMap: {buffer: X, dims: [64, 99], strides: [0],
                     box: [64, 2], template: true}}]}}
              table: {dtype: u64, shape: 3, init: {fields: [{at: 16, s32: -1}, {at: 0, pointer: {buffer: X, offset: 4}}]}}
              X: {dtype: u16, shape: 64}
            expect: [unchanged: X]
            """);
        assertThat(launch.buffer("table").fill())
                .isEqualTo(new Fill.Fields(List.of(
                        new KernelParameter.Field(0, new KernelParameter.Pointer("X", 4)),
                        new KernelParameter.Field(16, new KernelParameter.Scalar(ElementType.S32, 0xFFFFFFFFL)))));
        assertThat(launch.buffer("maps").fill())
                .isInstanceOfSatisfying(
                        Fill.Fields.class,
                        fields -> assertThat(fields.fields().getFirst().value())
                                .isInstanceOf(KernelParameter.MapByValue.class));
        String table = "grid: 1\nblock: 32\nbuffers: {T: {dtype: u64, shape: 1, init: {fields: [%s]}}}\nexpect: [%s]\n";
        assertThatThrownBy(() -> read(table.formatted("{at: 0, pointer: T}", "unchanged: T")))
                .hasMessageContaining("must be a buffer of elements, got T");
        assertThatThrownBy(() -> read(table.formatted("{at: 8, pointer: T}", "unchanged: T")))
                .hasMessageContaining("must lie inside of 8 bytes at a multiple of 8, got offset 8");
    }

    @Test
    void readsEverything() {
        LaunchDescription launch = read("""
            entry: gemm
            grid: [4, 2]
            block: [64, 2, 2]
            cluster: 2
            dynamicShared: 1024
            launchOverlap: true
            buffers:
              A: {dtype: bf16, shape: [3, 64, 48], rowStride: 56, init: {normal: {seed: 7, mean: 1.5, std: 1e-1}}, guard: 0}
              C: {dtype: u8, shape: 16, init: {constant: 0xff}}
              D: {dtype: f32, shape: [3, 64, 64], init: zeros}
              V: {dtype: bf16, shape: [3, 70], init: normal}
            parameters:
              - tensorMap: {buffer: A, box: [16, 8, 1], swizzle: 32, oobFill: nan, interleave: none, l2Promotion: 128}
              - pointer: {buffer: D, element: 3}
              - pointer: {buffer: D, offset: 0x10}
              - f32: -0.5
              - b32: 0x3f800000
              - nullPointer
              - bytes: "00 fF"
              - struct:
                  size: 256
                  fields:
                    - {at: 128, tensorMap: {buffer: D, dims: [64], strides: [], box: [4]}}
                    - {at: 0, pointer: C}
                    - {at: 8, u16: 7}
                    - {at: 16, nullPointer: }
            expect:
              - gemm: {a: A, b: {buffer: A, layout: NK}, d: {buffer: D, layout: MN}, c: D, bias: V,
                       epilogue: "alpha=2,beta=0.5,bias-m,gelu", tolerance: {absolute: 1e-3}}
              - unchanged: C
              - values: {buffer: C, values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x10]}
            """);
        assertThat(launch.entry()).contains("gemm");
        assertThat(launch.grid()).isEqualTo(new Extents(4, 2, 1));
        assertThat(launch.block()).isEqualTo(new Extents(64, 2, 2));
        assertThat(launch.cluster()).contains(Extents.of(2));
        assertThat(launch.dynamicShared()).isEqualTo(1024);
        assertThat(launch.launchOverlap()).isTrue();
        BufferDescription a = launch.buffer("A");
        assertThat(a.rows()).isEqualTo(192);
        assertThat(a.bytes()).isEqualTo(192 * 56 * 2);
        assertThat(a.guard()).isZero();
        assertThat(a.fill()).isEqualTo(new Fill.Normal(java.util.OptionalLong.of(7), 1.5, 0.1));
        assertThat(launch.buffer("C").fill()).isEqualTo(new Fill.Constant(0xFF, "0xff"));
        List<KernelParameter> parameters = launch.parameters();
        assertThat(parameters.get(0)).isInstanceOfSatisfying(KernelParameter.MapByValue.class, map -> {
            assertThat(map.map().dims()).containsExactly(48L, 64L, 3L);
            assertThat(map.map().strides()).containsExactly(112L, 112L * 64);
            assertThat(map.map().swizzleBytes()).isEqualTo(32);
            assertThat(map.map().fillNan()).isTrue();
        });
        assertThat(parameters.subList(1, 7))
                .containsExactly(
                        new KernelParameter.Pointer("D", 12),
                        new KernelParameter.Pointer("D", 16),
                        new KernelParameter.Scalar(ElementType.F32, 0xBF000000L),
                        new KernelParameter.Scalar(ElementType.U32, 0x3F800000L),
                        new KernelParameter.NullPointer(),
                        new KernelParameter.Raw(new byte[] {0, -1}));
        assertThat(parameters.get(7))
                .isInstanceOfSatisfying(
                        KernelParameter.Struct.class,
                        struct -> assertThat(struct.fields())
                                .extracting(KernelParameter.Field::at)
                                .containsExactly(0, 8, 16, 128));
        assertThat(launch.expected().getFirst())
                .isEqualTo(new Expectation.Gemm(
                        new Expectation.Operand("A", false),
                        new Expectation.Operand("A", false),
                        new Expectation.Operand("D", false),
                        Optional.of(new Expectation.Operand("D", false)),
                        Optional.of("V"),
                        Epilogue.parse("alpha=2,beta=0.5,bias-m,gelu-tanh"),
                        3,
                        64,
                        64,
                        48,
                        new Tolerance.Within(1e-3, 0)));
    }

    @Test
    void jsonSaysTheSame() {
        String json = "{\"grid\": [4, 1], \"block\": 64, \"buffers\": {\"A\": {\"dtype\": \"f32\", \"shape\": [2],"
                + " \"init\": {\"values\": [1.5, \"0x40000000\"]}}}, \"parameters\": [{\"f32\": \"inf\"}],"
                + " \"expect\": [{\"unchanged\": \"A\"}]}";
        LaunchDescription fromJson = LaunchReader.read(json, true, directory);
        assertThat(fromJson).isEqualTo(read(json));
        assertThat(fromJson.parameters()).containsExactly(new KernelParameter.Scalar(ElementType.F32, 0x7F800000L));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        clustr: 2                                   | 5:1: clustr: unknown key 'clustr'; known: entry, grid, block,
        dynamicShared: lots                         | 5:1: dynamicShared: must be an integer of 0..232448, got 'lots'
        launchOverlap: 1                            | 5:1: launchOverlap: must be true or false, got 1
        dynamicShared: 232449                       | 5:1: dynamicShared: must be an integer of 0..232448, got 232449
        dynamicShared: -1                           | must be an integer of 0..232448, got -1
        dynamicShared: 16.5                         | must be an integer of 0..232448, got 16.5
        dynamicShared: '16'                         | must be an integer of 0..232448, got '16'
        cluster: 17                                 | cluster: must be an integer of 1..16, got 17
        cluster: [4, 5]                             | cluster: must have at most 16 together, got 4x5x1 = 20
        cluster: []                                 | cluster: must have 1 to 3 extents x, y, z, got 0
        cluster: {x: 2}                             | cluster: must be a list, got a mapping
        cluster: [2, 0]                             | 5:14: cluster[1]: must be an integer of 1..16, got 0
        entry: 7                                    | entry: must be text, got 7
        entry: a\\nentry: b                         | 6:1: entry: is given twice
        parameters: {u32: 1}                        | parameters: must be a list, got a mapping
        parameters: [u33: 1]                        | 5:14: parameters[0].u33: must be pointer, nullPointer, tensorMap,
        parameters: [u32: -1]                       | parameters[0].u32: must be a u32 of 0..4294967295, got -1
        parameters: [u32: true]                     | parameters[0].u32: must be a number, got true
        parameters: [u32: '5']                      | parameters[0].u32: must be a number, got '5'
        parameters: [u32]                           | parameters[0]: 'u32' needs a value
        parameters: [{u32: 1, s32: 2}]              | parameters[0]: must have exactly one key, got [u32, s32]
        parameters: [b16: 0x12345]                  | parameters[0].b16: must be bits of u16, got 0x12345
        parameters: [pointer: E]                    | parameters[0].pointer: must be a buffer of [A, B, D, V], got 'E'
        parameters: [pointer: {buffer: V, offset: 17}]           | pointer.offset: must be an integer of 0..16, got 17
        parameters: [pointer: {buffer: V, offset: 1, element: 1}]| takes 'offset' in bytes or 'element', not both
        parameters: [nullPointer: 1]                | parameters[0].nullPointer: 'nullPointer' takes no value, got 1
        parameters: [bytes: 'abc']                  | bytes: must be 1 to 32764 bytes of two hexadecimal digits each, got
        parameters: [tensorMap: {buffer: A}]        | parameters[0].tensorMap: needs the key 'box'
        parameters: [tensorMap: {buffer: A, box: [33, 1], swizzle: 48}]      | swizzle: must be one of 128, 32, 64, none, got 48
        parameters: [tensorMap: {buffer: A, box: [8, 1], interleave: 16}]    | interleave: must be one of none, got 16
        parameters: [tensorMap: {buffer: A, box: [7, 1]}]                    | a tensor map needs box rows of multiples of 16 bytes, got 14
        parameters: [tensorMap: {buffer: A, box: [257, 1]}]                  | tensorMap.box[0]: must be an integer of 1..256, got 257
        parameters: [tensorMap: {buffer: A, box: [8]}]                       | a tensor map needs a box of its rank, got [8]
        parameters: [tensorMap: {buffer: A, offset: 8, box: [8, 1]}]         | offset: must be a multiple of 16 bytes, got 8
        parameters: [tensorMap: {buffer: A, offset: 16, box: [8, 1]}]        | must lie inside of buffer A, which has 384 bytes, but it ends at 400
        parameters: [tensorMap: {buffer: A, dims: [32, 4294967296], strides: [1099511627760], box: [8, 1]}] | but it ends at 4722366481701414109264
        parameters: [tensorMap: {buffer: A, dims: [32], box: [8]}]           | needs the key 'strides': rank or element size is not the buffer's
        parameters: [tensorMap: {buffer: V, box: [4], oobFill: nan}]         | a tensor map needs a float type to be filled with NaN, got s32
        parameters: [struct: {size: 8, fields: [{at: 4, pointer: A}]}]       | must lie inside of 8 bytes at a multiple of 8, got offset 4
        parameters: [struct: {size: 8, fields: [{at: 0, u32: 1}, {at: 2, u16: 1}]}]  | fields at 0 and 2 overlap; the first has 4 bytes
        parameters: [struct: {size: 8, fields: [{u32: 1}]}]                  | fields[0]: needs the key 'at'
        parameters: [struct: {size: 8, fields: [{at: 0}]}]                   | must have exactly one key beside at, got []
        parameters: [struct: {size: 8, fields: [{at: 0, struct: {}}]}]       | a field is no struct itself
        expect: []                                  | expect: must expect something
        expect: [unchanged: X]                      | expect[0].unchanged: must be a buffer of [A, B, D, V], got 'X'
        expect: [gem: {}]                           | must be one of gemm, values, file, unchanged, got 'gem'
        expect: [gemm: {a: A, b: B}]                | expect[0].gemm: needs the key 'd'
        expect: [gemm: {a: A, b: {buffer: B, layout: KN}, d: D}]             | has 32 as n, but expect[0].gemm.d has 5; make them equal or write 'n'
        expect: [gemm: {a: A, b: {buffer: B, layout: MK}, d: D}]             | layout: must be one of NK, KN, got 'MK'
        expect: [gemm: {a: A, b: B, d: D, m: 7}]                             | gemm.m: must be an integer of 1..6, got 7
        expect: [gemm: {a: A, b: B, d: V}]                                   | must be a buffer of 2 dimensions, or 3 with the batch first, got V of [4]
        expect: [gemm: {a: A, b: B, d: D, tolerance: loose}]                 | tolerance: must be one of exact, bound
        expect: [gemm: {a: A, b: B, d: D, tolerance: {absolute: -1}}]        | absolute: must be at least 0, got -1.0
        expect: [gemm: {a: D, b: D, d: D, m: 1, n: 1, k: 1}]                 | needs operands with a content, but 'init' of buffer D is uninitialised
        expect: [gemm: {a: A, b: B, d: D, c: D, epilogue: beta=1}]             | 'init' of buffer D is uninitialised
        expect: [values: {buffer: V, values: [1, 2]}]                        | must be a list of 4 elements, s32[4], got 2
        expect: [values: {buffer: V, values: [1, 2, 3, 4.5]}]                | values[3]: must be a number of type s32, got 4.5
        expect: [file: {buffer: V, file: none.npy}]                          | must be a file that can be read, got 'none.npy'
        """)
    void refuses(String rest, String message) {
        assertThatThrownBy(() -> read(with(rest.replace("\\n", "\n"))))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message.strip());
    }

    private static final String SCALED = """
            grid: 1
            block: 32
            buffers:
              A: {dtype: e4m3, shape: [2, 6, 400], init: normal}
              B: {dtype: e5m2, shape: [2, 8, 400], init: normal}
              H: {dtype: bf16, shape: [2, 8, 400], init: normal}
              D: {dtype: bf16, shape: [2, 6, 8]}
              R: {dtype: f32, shape: [2, 6], init: logUniform}
              C: {dtype: f32, shape: [2, 8], init: {logUniform: {seed: 3, low: 0.5, high: 2}}}
              P: {dtype: f32, shape: [2, 4, 6], rowStride: 8, init: logUniform}
              Q: {dtype: f32, shape: [2, 1, 4], init: logUniform}
            expect: [gemm: {a: A, b: B, d: D, scales: {kind: row, a: R, b: C}}]
            """;

    @Test
    void readsScalesOfRowsAndOfBlocks() {
        LaunchDescription rows = read(SCALED);
        assertThat(rows.buffer("R").fill()).isEqualTo(new Fill.LogUniform(java.util.OptionalLong.empty(), 0x1p-6, 4));
        assertThat(rows.buffer("C").fill()).isEqualTo(new Fill.LogUniform(java.util.OptionalLong.of(3), 0.5, 2));
        assertThat(rows.expected()).singleElement().isInstanceOfSatisfying(Expectation.Gemm.class, gemm -> {
            assertThat(gemm.scales()).contains(new Expectation.ScaleBuffers(Scales.ROW, "R", "C"));
            assertThat(gemm.steps().scalesRows()).isTrue();
        });
        assertThat(read(SCALED.replace("kind: row, a: R, b: C", "kind: block, a: P, b: Q"))
                        .expected())
                .singleElement()
                .isInstanceOfSatisfying(
                        Expectation.Gemm.class,
                        gemm -> assertThat(gemm.scaled()).isEqualTo(Scales.BLOCK));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        kind: tensor, a: R, b: C | scales.kind: must be row or block, got 'tensor'
        kind: row, a: C, b: C    | scales.a: must be a buffer of f32[2, 6], the scales of A for row, got C f32[2, 8]
        kind: row, a: R, b: R    | scales.b: must be a buffer of f32[2, 8], the scales of B for row, got R f32[2, 6]
        kind: row, a: R, b: D    | scales.b: must be a buffer of f32[2, 8], the scales of B for row, got D bf16[2, 6, 8]
        kind: block, a: Q, b: Q  | scales.a: must be a buffer of f32[2, 4, 6], the scales of A for block, got Q
        kind: block, a: P, b: P  | scales.b: must be a buffer of f32[2, 1, 4], the scales of B for block, got P
        kind: row, a: R          | scales: needs the key 'b'
        kind: block, a: {buffer: P, layout: MK}, b: Q | scales.a: must be a buffer of f32[2, 6, 4], the scales of A
        kind: block, a: {buffer: P, layout: NK}, b: Q | scales.a.layout: must be one of [KM, MK], got 'NK'
        kind: block, a: P, b: {buffer: Q, layout: KN} | scales.b: must be a buffer of f32[2, 4, 1], the scales of B
        kind: row, a: {buffer: R, layout: MK}, b: C | scales.a.layout: is of scales of blocks: those of rows are a vector
        """)
    void refusesScales(String part, String message) {
        assertThatThrownBy(() -> read(SCALED.replace("kind: row, a: R, b: C", part)))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message.strip());
    }

    @Test
    void refusesScalesOfOtherInputsAndOfNoRange() {
        assertThatThrownBy(() -> read(SCALED.replace("b: B,", "b: H,")))
                .hasMessageContaining("are of inputs of 8 bits, e4m3 and e5m2, got buffer H of bf16");
        assertThatThrownBy(() -> read(SCALED.replace("low: 0.5", "low: 0")))
                .hasMessageContaining("'low' must be above 0 and at most 'high', got 0.0 and 2.0");
    }

    /** A buffer is named where the epilogue reads it, and nowhere else. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        epilogue: beta=1            | epilogue: has the step beta, which needs the key 'c' beside it, got 'beta=1'
        epilogue: bias              | epilogue: has the step bias, which needs the key 'bias' beside it, got 'bias'
        epilogue: bias-m            | epilogue: has the step bias, which needs the key 'bias' beside it, got 'bias-m'
        c: A                        | c: needs the step beta in the key 'epilogue' beside it, got 'A'
        c: A, epilogue: relu        | c: needs the step beta in the key 'epilogue' beside it, got 'A'
        c: {buffer: A}, epilogue: beta=0 | c: needs the step beta in the key 'epilogue' beside it, got a mapping
        bias: W                     | bias: needs the step bias in the key 'epilogue' beside it, got 'W'
        bias: W, epilogue: relu     | bias: needs the step bias in the key 'epilogue' beside it, got 'W'
        bias: W, epilogue: bias-m   | bias: must be a buffer of one dimension with at least 6 floats, or of two with
        bias: W, epilogue: bias-m   | the batch of 1 first, got W f16[5]
        bias: V, epilogue: bias     | the batch of 1 first, got V s32[4]
        bias: A, epilogue: bias     | the batch of 1 first, got A bf16[6, 32]
        bias: {buffer: W}, epilogue: bias | bias: must be text, got a mapping
        epilogue: swish             | epilogue: unknown step 'swish' of an epilogue; known: alpha=F
        epilogue: [relu]            | epilogue: must be text, got a list of 1
        alpha: 2                    | alpha: unknown key 'alpha'; known: a, b, d, scales, c, bias, epilogue, m, n, k, tolerance
        """)
    void refusesEpilogues(String part, String message) {
        String buffers = BUFFERS.replace("V: {", "W: {dtype: f16, shape: 5, init: normal}, V: {");
        assertThatThrownBy(() ->
                        read("grid: 1\nblock: 32\n" + buffers + "\nexpect: [gemm: {a: A, b: B, d: D, " + part + "}]"))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("4:35: expect[0].gemm.")
                .hasMessageContaining(message.strip());
    }

    /** One vector for all matrices of a batch, or one for each; longer ones too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5 | bias", "[3, 5] | bias", "9 | bias", "6 | bias-m", "[3, 7], rowStride: 8 | bias-m"})
    void takesABiasOfOneOrTwoDimensions(String shape, String steps) {
        LaunchDescription launch = read("""
            grid: 1
            block: 32
            buffers:
              A: {dtype: bf16, shape: [3, 6, 32], init: normal}
              B: {dtype: bf16, shape: [5, 32], init: normal}
              D: {dtype: f32, shape: [3, 6, 5]}
              V: {dtype: f32, shape: %s, init: normal}
            expect: [gemm: {a: A, b: B, d: D, bias: V, epilogue: %s}]
            """.formatted(shape, steps));
        assertThat(launch.expected().getFirst())
                .isInstanceOfSatisfying(
                        Expectation.Gemm.class, gemm -> assertThat(gemm.bias()).contains("V"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        {dtype: f31, shape: 4}                               | X.dtype: must be one of u8, s8
        {dtype: f32}                                         | X: needs the key 'shape'
        {dtype: f32, shape: []}                              | X.shape: must have 1 to 8 dimensions, got 0
        {dtype: f32, shape: [4, 0]}                          | X.shape[1]: must be an integer of 1..268435456, got 0
        {dtype: f32, shape: [65536, 65536]}                  | X: must have at most 268435456 bytes, got f32[65536, 65536]
        {dtype: f64, shape: [200000000]}                     | X: must have at most 268435456 bytes
        {dtype: u8, shape: [268435456]}                      | all buffers together must have at most 268435456 bytes
        {dtype: f32, shape: [4, 8], rowStride: 7}            | X.rowStride: must be an integer of 8..268435456, got 7
        {dtype: f32, shape: 4, guard: -1}                    | X.guard: must be an integer of 0..1048576, got -1
        {dtype: f32, shape: 4, init: ones}                   | X.init: must be one of uninitialised, poison, zeros
        {dtype: f32, shape: 4, init: {zeros: 1}}             | X.init.zeros: 'zeros' takes no value, got 1
        {dtype: u8, shape: 4, init: {constant: 256}}         | X.init.constant: must be a u8 of 0..255, got 256
        {dtype: u8, shape: 4, init: {integers: {low: -1}}}   | X.init.integers.low: must be a value of u8, got -1
        {dtype: e4m3, shape: 4, init: {integers: {high: 17}}} | X.init.integers.high: must be a value of e4m3, got 17
        {dtype: s8, shape: 4, init: {integers: {low: 3}}}    | 'low' must be at most 'high', got 3 and 2
        {dtype: s8, shape: 4, init: {normal: {std: -1}}}     | X.init.normal.std: must be at least 0, got -1.0
        {dtype: s8, shape: 4, init: {normal: {sd: 1}}}       | X.init.normal.sd: unknown key 'sd'; known: seed, mean, std
        {dtype: s8, shape: 4, init: {values: [1, 2, 3]}}     | must be a list of 4 elements, s8[4], got 3
        {dtype: s8, shape: 4, init: {file: 7}}               | X.init.file: must be text, got 7
        {dtype: f32, shape: 4, init: {iota: {step: big}}}    | X.init.iota.step: must be a number, got 'big'
        """)
    void refusesBuffers(String buffer, String message) {
        String text = "grid: 1\nblock: 1\nexpect: [unchanged: V]\nbuffers:\n  V: {dtype: u8, shape: 4}\n  X: " + buffer;
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message.strip())
                .message()
                .startsWith("6:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                              | 1:1: document: is empty
        [1, 2]                          | 1:1: document: must be a mapping, got a list of 2
        grid: [1                        | document:
        {grid: 1} trailing              | document:
        grid: *one                      | grid: aliases are not supported, got *one
        block: 1                        | 1:1: document: needs the key 'grid'
        """)
    void refusesWhatIsNoDocument(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void saysAllFaultsAtOnceInTheirOrder() {
        assertThatThrownBy(() -> read("""
            gird: 1
            block: 0
            buffers:
              A: {dtype: f31, shape: 4}
              D: {dtype: f32, shape: [4, 4], init: ones}
              V: {dtype: s32, shape: 4}
            parameters: [pointer: A, pointer: D, pointer: W, u8: 256]
            expect: [unchanged: D, unchanged: X]
            """))
                .isInstanceOf(DocumentException.class)
                .hasMessageMatching("""
                    1:1: gird: unknown key 'gird'; known: entry, grid, .*
                    1:1: document: needs the key 'grid'
                    2:1: block: must be an integer of 1..1024, got 0
                    4:[0-9]+: buffers.A.dtype: must be one of .*
                    5:[0-9]+: buffers.D.init: must be one of .*, got 'ones'
                    7:[0-9]+: parameters\\[2\\].pointer: must be a buffer of \\[D, V\\], got 'W'
                    7:[0-9]+: parameters\\[3\\].u8: must be .*
                    8:[0-9]+: expect\\[1\\].unchanged: must be a buffer of \\[D, V\\], got 'X'\
                    """);
    }

    @Test
    void namesTheFileOfAnError() throws IOException {
        Path file = directory.resolve("wrong.json");
        Files.writeString(file, "{\"grid\": 1,\n \"block\": 0}");
        assertThatThrownBy(() -> LaunchReader.read(file))
                .isInstanceOf(DocumentException.class)
                .hasMessage(file + ":1:1: document: needs the key 'expect'\n" + file
                        + ":2:2: block: must be an integer of 1..1024, got 0");
        assertThatThrownBy(() -> LaunchReader.read(directory.resolve("none.yaml")))
                .isInstanceOf(DocumentException.class)
                .hasMessage(directory.resolve("none.yaml") + ": cannot be read: no such file or folder");
    }

    // ---- data files ---------------------------------------------------------------------------------------------

    private static byte[] npy(String header, int... words) {
        byte[] text = header.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer file =
                ByteBuffer.allocate(10 + text.length + 4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                .putShort((short) text.length)
                .put(text);
        for (int word : words) {
            file.putInt(word);
        }
        return file.array();
    }

    private Fill fill(String dtype, String shape, String file) {
        return read("grid: 1\nblock: 1\nexpect: [unchanged: X]\nbuffers: {X: {dtype: " + dtype + ", shape: " + shape
                        + ", init: {file: " + file + "}}}")
                .buffer("X")
                .fill();
    }

    @Test
    void readsRawAndNpyFiles() throws IOException {
        Files.write(directory.resolve("x.bin"), new byte[] {1, 0, 2, 0});
        assertThat(fill("bf16", "2", "x.bin")).isEqualTo(new Fill.Packed(new byte[] {1, 0, 2, 0}, "file x.bin"));
        String header = "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }\n";
        Files.write(directory.resolve("x.npy"), npy(header, 7, -1));
        assertThat(fill("s32", "[1, 2]", "x.npy"))
                .isEqualTo(new Fill.Packed(new byte[] {7, 0, 0, 0, -1, -1, -1, -1}, "file x.npy"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        s32  | {'descr': '<i4', 'fortran_order': True, 'shape': (2,), }   | is in Fortran's order; save it in C's order
        s32  | {'descr': '<i4', 'fortran_order': False, 'shape': (2, 1)}  | has shape [2, 1], needed is [2]
        s32  | {'descr': '>i4', 'fortran_order': False, 'shape': (2,), }  | is big-endian
        f32  | {'descr': '<i4', 'fortran_order': False, 'shape': (2,), }  | holds i4, needed is f32 (f of 4 bytes)
        bf16 | {'descr': '<i2', 'fortran_order': False, 'shape': (2,), }  | holds i2, needed is bf16 (uV of 2 bytes)
        s32  | {'descr': '<i4', 'shape': (2,), }                          | has a header that cannot be read
        s64  | {'descr': '<i8', 'fortran_order': False, 'shape': (2,), }  | must be a file of 16 bytes, s64[2], but x.npy has 8
        """)
    void refusesOtherArrays(String dtype, String header, String message) throws IOException {
        Files.write(directory.resolve("x.npy"), npy(header, 7, 8));
        assertThatThrownBy(() -> fill(dtype, "2", "x.npy"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message);
        Files.write(directory.resolve("y.npy"), new byte[40]);
        assertThatThrownBy(() -> fill(dtype, "2", "y.npy")).hasMessageContaining("is no .npy file");
        Files.write(directory.resolve("z.bin"), new byte[3]);
        assertThatThrownBy(() -> fill("s32", "2", "z.bin"))
                .hasMessageContaining("must be a file of 8 bytes, s32[2], but z.bin has 3");
    }
}
