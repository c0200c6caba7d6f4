package dev.tilewright.launch.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.expression.Holes;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundleTest {
    private static final int SMS = 132;

    static final String WHOLE =
            """
        name: my-gemm
        problem:
          a: f16
          b: {type: f16, major: n}
          d: f32
          batched: true
          conditions:
            - k % 8 == 0
            - {id: fits, that: m * n < 1000000, because: indices have 32 bits}
        epilogue: {steps: "alpha=0.5,beta=2,bias,gelu-erf", c: f32, bias: f16}
        space:
          tile: [16, 32]
          stages: [2, 3, 4]
          order: [alongM, alongN]
        let:
          tilesM: ceildiv(m, tile)
          tilesN: ceildiv(n, tile)
          shared: stages * tile * 1024
        constraints:
          - shared <= 98304
          - {id: fewTiles, that: "order == 'alongM' || tilesM <= 4", because: rows of tiles are slow}
        kernel: {template: "gemm-${tile}.ptx"}
        launch:
          grid: [min(tilesM * tilesN / 2 * 2 + 1, 1000) / 1, batch]
          block: tile * 8
          dynamicShared: shared
          buffers:
            COUNTER: {dtype: u32, shape: 1, init: zeros}
            TABLE: {dtype: s32, shape: 3, init: {values: [m, "n + 1", tilesM]}}
          parameters:
            - tensorMap: {buffer: A, dims: [k, m, batch], box: [tile, "min(tile, 8)", 1], swizzle: "tile == 16 ? 32 : 64"}
            - pointer: B
            - pointer: {buffer: D, element: n}
            - pointer: BIAS
            - u32: tilesM
            - s64: -m
            - struct: {size: 16, bytes: "00112233445566778899aabbccddeeff", fields: [{at: 8, pointer: C}]}
          expect:
            - unchanged: COUNTER
        """.replace("min(tilesM * tilesN / 2 * 2 + 1, 1000) / 1", "\"min(tilesM * tilesN, 1000)\"");

    private static final String PTX = """
        .version 8.0
        .target sm_90a
        .address_size 64
        .visible .entry gemm() { // ${tile * 2} ${order}
          ret;
        }
        """;

    private static BundleFiles files(String yaml) {
        Map<String, byte[]> files = new HashMap<>();
        files.put("kernel.yaml", yaml.getBytes(StandardCharsets.UTF_8));
        files.put("gemm-16.ptx", PTX.getBytes(StandardCharsets.UTF_8));
        files.put("gemm-32.ptx", PTX.getBytes(StandardCharsets.UTF_8));
        return BundleFiles.of(files);
    }

    static Bundle read(String yaml) {
        return Bundle.read(files(yaml));
    }

    private static Problem problem(Bundle bundle, int m, int n, int k, int batch) {
        return bundle.problem().of(new ProblemShape(m, n, k), batch);
    }

    @Test
    void saysWhatItIs() {
        Bundle bundle = read(WHOLE);
        assertThat(bundle.family()).isEqualTo("bundle:my-gemm");
        assertThat(bundle.hash()).isEqualTo(bundle.files().hash());
        assertThat(bundle.parameters())
                .hasToString("[BundleParameter[name=tile, values=[16, 32]],"
                        + " BundleParameter[name=stages, values=[2, 3, 4]],"
                        + " BundleParameter[name=order, values=[alongM, alongN]]]");
        assertThat(bundle.points()).isEqualTo(12);
        assertThat(bundle.epilogue()).isEqualTo(Epilogue.parse("alpha=0.5,beta=2,bias,gelu-erf"));
        assertThat(bundle.constraints())
                .extracting(BundleConstraint::id, BundleConstraint::parameters)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("constraint1", List.of("tile", "stages")),
                        org.assertj.core.groups.Tuple.tuple("fewTiles", List.of("tile", "order")));
    }

    @Test
    void takesTheProblemsOfItsConditions() {
        Bundle bundle = read(WHOLE);
        assertThat(bundle.problem().refusal(problem(bundle, 45, 70, 72, 3))).isEmpty();
        assertThat(bundle.problem().refusal(problem(bundle, 45, 70, 71, 1)))
                .hasValue("k % 8 == 0 does not hold for k=71");
        assertThat(bundle.problem().refusal(problem(bundle, 4500, 7000, 72, 1)))
                .hasValue("m * n < 1000000 does not hold for m=4500 n=7000: indices have 32 bits");
        assertThat(bundle.problem().refusal(Problem.of(new ProblemShape(8, 8, 8), DataType.BF16)))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("B f16 n-major").contains("got A bf16"));
        Bundle single = read(WHOLE.replace("batched: true", "batched: false"));
        assertThat(single.problem().refusal(problem(single, 45, 70, 72, 3))).hasValue("takes a batch of 1, got 3");
    }

    @Test
    void configsKeepTheConstraints() {
        Bundle bundle = read(WHOLE);
        assertThat(bundle.configs(problem(bundle, 45, 70, 72, 1), SMS)).hasSize(10);
        assertThat(bundle.configs(problem(bundle, 100, 70, 72, 1), SMS))
                .hasSize(7)
                .doesNotContain(Config.parse("tile=16 stages=2 order=alongN"));
        assertThat(bundle.violation(
                        problem(bundle, 100, 70, 72, 1), SMS, Config.parse("tile=16 stages=2 order=alongN")))
                .hasValueSatisfying(violation -> assertThat(violation)
                        .hasToString(
                                "fewTiles: order == 'alongM' || tilesM <= 4 does not hold for order=alongN tilesM=7:"
                                        + " rows of tiles are slow (order=alongN tile=16)"));
        assertThat(bundle.violation(problem(bundle, 8, 8, 8, 1), SMS, Config.parse("tile=17 stages=2 order=alongN")))
                .hasValueSatisfying(
                        violation -> assertThat(violation.reason()).isEqualTo("tile must be one of [16, 32], got 17"));
    }

    @Test
    void launchesByTheNumbers() {
        Bundle bundle = read(WHOLE);
        LaunchDescription launch =
                bundle.launch(problem(bundle, 45, 70, 72, 3), SMS, Config.parse("tile=32 stages=3 order=alongM"));
        assertThat(launch.grid()).isEqualTo(new Extents(6, 3, 1));
        assertThat(launch.block()).isEqualTo(Extents.of(256));
        assertThat(launch.dynamicShared()).isEqualTo(98304);
        assertThat(launch.buffer("A").shape()).containsExactly(3L, 45L, 72L);
        assertThat(launch.buffer("B").shape()).containsExactly(3L, 72L, 70L);
        assertThat(launch.buffer("C").shape()).containsExactly(3L, 45L, 70L);
        assertThat(launch.buffer("C").type()).isEqualTo(ElementType.F32);
        assertThat(launch.buffer("BIAS").shape()).containsExactly(70L);
        assertThat(launch.buffer("BIAS").type()).isEqualTo(ElementType.F16);
        assertThat(launch.parameters().get(2)).isEqualTo(new KernelParameter.Pointer("D", 280));
        assertThat(launch.parameters().get(4)).isEqualTo(new KernelParameter.Scalar(ElementType.U32, 2));
        assertThat(launch.parameters().get(5)).isEqualTo(new KernelParameter.Scalar(ElementType.S64, -45));
        assertThat(launch.parameters().get(6))
                .isEqualTo(new KernelParameter.Struct(
                        16,
                        List.of(
                                new KernelParameter.Field(0, new KernelParameter.Raw(new byte[] {
                                    0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77
                                })),
                                new KernelParameter.Field(8, new KernelParameter.Pointer("C", 0)))));
        assertThat(((KernelParameter.MapByValue) launch.parameters().getFirst()).map())
                .hasFieldOrPropertyWithValue("swizzleBytes", 64)
                .hasFieldOrPropertyWithValue("box", List.of(32, 8, 1));
        Expectation.Gemm gemm = (Expectation.Gemm) launch.expected().getFirst();
        assertThat(gemm.epilogue()).isEqualTo(bundle.epilogue());
        assertThat(gemm.b().transposed()).isTrue();
        assertThat(List.of(gemm.batch(), gemm.m(), gemm.n(), gemm.k())).containsExactly(3, 45, 70, 72);
        assertThat(launch.expected()).contains(new Expectation.Unchanged("BIAS"), new Expectation.Unchanged("COUNTER"));
    }

    /** What an epilogue adds has the type of D where nobody says another. */
    @Test
    void anEpilogueIsWrittenAsOnTheCommandLine() {
        Bundle bundle = read(WHOLE.replaceFirst("epilogue: .*", "epilogue: relu,beta=-1,bias-m")
                .replace("d: f32", "d: bf16"));
        LaunchDescription launch =
                bundle.launch(problem(bundle, 45, 70, 72, 3), SMS, Config.parse("tile=32 stages=3 order=alongM"));
        assertThat(bundle.epilogue()).hasToString("relu,beta=-1,bias-m");
        assertThat(launch.buffer("C")).hasToString("C bf16[3, 45, 70] normal mean 0.0 deviation 1.0");
        assertThat(launch.buffer("BIAS")).hasToString("BIAS bf16[45] normal mean 0.0 deviation 1.0");
        assertThat(launch.expected().getFirst()).isInstanceOfSatisfying(Expectation.Gemm.class, gemm -> {
            assertThat(gemm.epilogue()).isEqualTo(bundle.epilogue());
            assertThat(gemm.c()).contains(new Expectation.Operand("C", false));
            assertThat(gemm.bias()).contains("BIAS");
        });
    }

    @Test
    void sumsAreStoredAsTheyAreWithoutAnEpilogue() {
        String plain = WHOLE.replaceFirst("epilogue: .*\n", "")
                .replace("- pointer: BIAS", "- pointer: A")
                .replace("pointer: C}", "pointer: A}");
        Bundle bundle = read(plain);
        LaunchDescription launch =
                bundle.launch(problem(bundle, 45, 70, 72, 1), SMS, Config.parse("tile=32 stages=3 order=alongM"));
        assertThat(bundle.epilogue()).isEqualTo(Epilogue.NONE);
        assertThat(launch.buffers()).extracting("name").containsExactly("A", "B", "D", "COUNTER", "TABLE");
    }

    @Test
    void aTypeOfWhatIsAddedIsRefusedWhereItIsWritten() {
        Bundle bundle = read(WHOLE.replace("bias: f16", "bias: f17"));
        assertThatThrownBy(() -> bundle.launch(
                        problem(bundle, 45, 70, 72, 3), SMS, Config.parse("tile=32 stages=3 order=alongM")))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining("epilogue.bias: must be one of u8, s8")
                .hasMessageContaining("got 'f17'");
    }

    @Test
    void findsTheKernelOfAConfig() {
        BundleKernel kernel = read(WHOLE).kernel(Config.parse("tile=32 stages=3 order=alongM"));
        assertThat(kernel)
                .isEqualTo(new BundleKernel.Text(
                        "gemm-32.ptx", "gemm", "sm_90a", PTX.replace("${tile * 2} ${order}", "64 alongM")));
        assertThatThrownBy(() -> read(WHOLE.replace("tile: [16, 32]", "tile: [16, 64]"))
                        .kernel(Config.parse("tile=64 stages=3 order=alongM")))
                .hasMessageContaining("kernel.template: must be a file of the bundle, got 'gemm-64.ptx'");
    }

    @Test
    void sumsInF16MayBeFurtherOff() {
        Bundle bundle = read(WHOLE.replace("batched: true", "batched: true\n  accumulator: f16"));
        LaunchDescription launch =
                bundle.launch(problem(bundle, 45, 70, 72, 1), SMS, Config.parse("tile=32 stages=3 order=alongM"));
        assertThat(((Expectation.Gemm) launch.expected().getFirst()).tolerance())
                .isEqualTo(new Tolerance.Bound(0x1p-23, 8192));
    }

    /** What {@code export} writes is a bundle too, of its problem. */
    @Test
    void aLaunchDescriptionBesideItsTextIsABundle() {
        String yaml = """
            grid: [2, 3]
            block: 32
            buffers:
              A: {dtype: bf16, shape: [2, 45, 72], init: normal}
              B: {dtype: bf16, shape: [2, 72, 70], init: normal}
              D: {dtype: f32, shape: [2, 45, 70]}
            parameters: [{pointer: A}, {pointer: B}, {pointer: D}]
            expect:
              - gemm: {a: A, b: {buffer: B, layout: KN}, d: D}
            """;
        Bundle bundle = Bundle.read(BundleFiles.of(Map.of(
                "kernel.yaml", yaml.getBytes(StandardCharsets.UTF_8),
                "Gemm_45x70.ptx", PTX.getBytes(StandardCharsets.UTF_8))));
        assertThat(bundle.name()).isEqualTo("gemm-45x70");
        Problem problem = bundle.problem().only().orElseThrow();
        assertThat(problem.shapes()).isEqualTo("2 x (45x70x72)");
        assertThat(bundle.launch(problem, SMS, Config.of(Map.of())).grid()).isEqualTo(new Extents(2, 3, 1));
        assertThat(bundle.kernel(Config.of(Map.of())).entry()).isEqualTo("gemm");
        // The space of the bundle looks at the epilogue that a problem names.
        assertThat(bundle.launch(problem.with(Epilogue.parse("bias,gelu")), SMS, Config.of(Map.of()))
                        .grid())
                .isEqualTo(new Extents(2, 3, 1));
        assertThat(bundle.problem().refusal(Problem.of(new ProblemShape(45, 70, 72), DataType.BF16)))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("takes 2 x (45x70x72) A bf16 k-major"));
    }

    @Test
    void aHelperSaysTheLaunch() {
        String yaml = WHOLE.replace("kernel: {template", "helper: bin/params\nkernel: {template");
        Bundle bundle = read(yaml);
        Config config = Config.parse("tile=32 stages=3 order=alongM");
        Problem problem = problem(bundle, 45, 70, 72, 1);
        assertThatThrownBy(() -> bundle.launch(problem, SMS, config))
                .hasMessageContaining("the program 'bin/params', which nobody has allowed to run here, and the bundle"
                        + " has none recorded for m=45 n=70 k=72 batch=1 sms=132 order=alongM stages=3 tile=32");
        LaunchDescription launch = bundle.launch(problem, SMS, config, program -> {
            assertThat(program.arguments())
                    .containsExactly(
                            "m=45", "n=70", "k=72", "batch=1", "sms=132", "order=alongM", "stages=3", "tile=32");
            return "{\"grid\": 7, \"parameters\": [{\"pointer\": \"D\"}]}";
        });
        assertThat(launch.grid()).isEqualTo(Extents.of(7));
        assertThat(launch.block()).isEqualTo(Extents.of(256));
        assertThat(launch.parameters()).containsExactly(new KernelParameter.Pointer("D", 0));
        assertThatThrownBy(() -> bundle.launch(problem, SMS, config, program -> "Segmentation fault"))
                .hasMessageContaining(
                        "bin/params m=45 n=70 k=72 batch=1 sms=132 order=alongM stages=3 tile=32: printed no"
                                + " launch: 1:1: document: must be a mapping, got 'Segmentation fault'");
    }

    /** Grids that say for which config and how many SMs they are. */
    private static String printed(HelperProgram program) {
        Map<String, String> values = new HashMap<>();
        program.arguments().forEach(argument -> values.put(argument.split("=")[0], argument.split("=")[1]));
        return "{\"grid\": [" + values.get("tile") + ", " + values.get("sms")
                + "], \"parameters\": [{\"pointer\": \"D\"}]}";
    }

    @Test
    void whatAHelperPrintsIsRecordedAndTheProgramLeftOut() {
        Map<String, byte[]> files =
                new HashMap<>(files(WHOLE.replace("kernel: {template", "helper: bin/params\nkernel: {template"))
                        .contents());
        files.put("bin/params", new byte[] {1, 2, 3});
        files.put(
                "launches/m=1,n=2,k=8,batch=1,sms=4,order=alongM,stages=3,tile=32",
                "nonsense".getBytes(StandardCharsets.UTF_8));
        Bundle bundle = Bundle.read(BundleFiles.of(files));
        Problem problem = problem(bundle, 45, 70, 72, 1);
        List<String> ran = new ArrayList<>();
        Bundle recorded = bundle.recorded(List.of(problem), List.of(132, 4), program -> {
            ran.add(String.join(" ", program.arguments()));
            return printed(program);
        });
        List<Config> configs = bundle.configs(problem, SMS).toList();
        assertThat(configs).hasSizeGreaterThan(3);
        assertThat(ran).hasSize(2 * configs.size()).doesNotHaveDuplicates();
        assertThat(recorded.files().names())
                .hasSize(3 + 2 * configs.size())
                .contains("kernel.yaml", "launches/m=45,n=70,k=72,batch=1,sms=4,order=alongM,stages=3,tile=32")
                .doesNotContain("bin/params");
        assertThat(recorded.hash()).isNotEqualTo(bundle.hash());
        assertThat(recorded.isRecorded(problem)).isTrue();
        assertThat(recorded.isRecorded(problem(bundle, 45, 70, 7 * 8, 1))).isFalse();
        Config config = Config.parse("tile=32 stages=3 order=alongM");
        assertThat(recorded.launch(problem, 132, config).grid()).isEqualTo(new Extents(32, 132, 1));
        assertThat(recorded.launch(problem, 4, config).grid()).isEqualTo(new Extents(32, 4, 1));
        assertThatThrownBy(() -> recorded.launch(problem, 78, config))
                .hasMessageContaining("has none recorded for m=45 n=70 k=72 batch=1 sms=78 order=alongM");
    }

    @Test
    void whatCannotBeRecordedIsRefused() {
        Bundle bundle = read(WHOLE.replace("kernel: {template", "helper: bin/params\nkernel: {template"));
        Problem problem = problem(bundle, 45, 70, 72, 1);
        assertThatThrownBy(() -> bundle.recorded(List.of(problem), List.of(132), program -> "Segmentation fault"))
                .hasMessageContaining("printed no launch");
        assertThatThrownBy(() -> read(WHOLE).recorded(List.of(problem), List.of(132), BundleTest::printed))
                .hasMessage("bundle:my-gemm has no 'helper' whose launches could be recorded");
        List<Integer> many = IntStream.rangeClosed(1, 300).boxed().toList();
        assertThatThrownBy(() -> bundle.recorded(List.of(problem), many, program -> {
                    throw new AssertionError("none is run");
                }))
                .hasMessageMatching("launches of bin/params in a bundle: at most 997, got \\d+");
        Bundle other = read(WHOLE.replace("kernel: {template", "helper: bin/params\nkernel: {template")
                .replace("launch:\n", "launch:\n  entry: gemn\n"));
        assertThatThrownBy(() -> other.recorded(List.of(problem), List.of(132), program -> {
                    throw new AssertionError("none is run");
                }))
                .hasMessageContaining("launch.entry: must be a kernel of gemm-16.ptx, [gemm], got 'gemn'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "name: my-gemm|name: My_Gemm|kernel.yaml:1:1: name: must be [a-z0-9]",
                "a: f16|a: f17|problem.a: unknown data type 'f17'",
                "major: n|major: m|problem.b.major: must be k or n, got 'm'",
                "gelu-erf|swish|kernel.yaml:10:12: epilogue.steps: unknown step 'swish' of an epilogue",
                "bias,|bias-k,|epilogue.steps: unknown step 'bias-k' of an epilogue; known: alpha=",
                "beta=2,bias|bias|kernel.yaml:10:46: epilogue.c: needs the step beta in 'steps', got 'f32'",
                "beta=2|beta=0|epilogue.c: needs the step beta in 'steps', got 'f32'",
                "bias,gelu-erf|gelu-erf|epilogue.bias: needs the step bias in 'steps', got 'f16'",
                "c: f32, bias|d: f32, bias|epilogue.d: unknown key 'd'; known: steps, c, bias",
                "tile: [16, 32]|tile: [16, 16]|space.tile: must be 1 to 1000 values, each once",
                "tile: [16, 32]|tile: [16, wide]|whole numbers, or words, not both",
                "tile: [16, 32]|m: [16, 32]|space.m: 'm' has a meaning already",
                "tilesM: ceildiv(m, tile)|tilesM: ceildiv(m, tiel)|let.tilesM: unknown names [tiel]",
                "k % 8 == 0|k % tile == 0|unknown names [tile] in 'k % tile == 0'; known: [batch, k, m, n]",
                "order == 'alongM'|order == 'alongN '|unknown words [alongN ] in",
                "shared <= 98304|m <= 98304|'m <= 98304' looks at no parameter",
                "- unchanged: COUNTER|- gemm: {a: A, b: B, d: D}|the gemm of the problem is expected already",
                "constraints:|constraint:|unknown key 'constraint'",
                "{template: |{templates: |unknown key 'templates'"
            })
    void refusesWhatIsWrong(String part, String other, String message) {
        assertThat(WHOLE).contains(part);
        assertThatThrownBy(() -> read(WHOLE.replace(part, other)))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "block: tile * 8|block: tile * 80|launch.block: must be an integer of 1..1024, got 'tile * 80', which is 2560",
                "block: tile * 8|block: tiel * 8|launch.block: expression 'tiel * 8', column 1: unknown name 'tiel'; known: batch",
                "u32: tilesM|u32: m - 46|must be a u32 of 0..4294967295, got -1",
                "dynamicShared: shared|dynamicShared: shared / (m - 45)|column 8: divides 98304 by 0",
                "element: n|element: m * n * k|launch.parameters[2].pointer.element: must be an integer of 0..9450",
                "- pointer: B|- pointer: BB|must be a buffer of [A, B, C, BIAS, D, COUNTER, TABLE], got 'BB'",
                "grid: [\"min(|grid: [min(|needs ')'; in a list in brackets write"
            })
    void refusesALaunchThatCannotBe(String part, String other, String message) {
        assertThat(WHOLE).contains(part);
        Bundle bundle =
                read(WHOLE.replace(part, other).replace("1000)\"", other.startsWith("grid") ? "1000)" : "1000)\""));
        assertThatThrownBy(() -> bundle.launch(
                        problem(bundle, 45, 70, 72, 3), SMS, Config.parse("tile=32 stages=3 order=alongM")))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining(message);
    }

    /** Whoever uploads a bundle must not keep a service busy by writing more than a person does. */
    @Test
    void hasAsManyNamesAndRulesAsAPersonWrites() {
        StringBuilder names = new StringBuilder("let:\n");
        StringBuilder rules = new StringBuilder("constraints:\n");
        StringBuilder space = new StringBuilder("space:\n");
        for (int i = 0; i < 65; i++) {
            names.append("  a").append(i).append(": 1\n");
            rules.append("  - tile >= ").append(i).append('\n');
            space.append("  b").append(i).append(": 1\n");
        }
        for (StringBuilder part : List.of(names, rules, space)) {
            String key = part.substring(0, part.indexOf(":"));
            String yaml = WHOLE.replaceAll("(?m)^" + key + ":\n(  .*\n)+", part.toString());
            assertThatThrownBy(() -> read(yaml)).hasMessageContaining("must have at most 64 entries, got 65");
        }
    }

    @Test
    void manyOpenHolesAreReadAtOnce() {
        String open = "${".repeat(500_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(Holes.filled(open, new Bindings(Map.of()))).isEqualTo(open));
    }
}
