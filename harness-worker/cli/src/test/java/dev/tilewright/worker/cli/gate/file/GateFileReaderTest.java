package dev.tilewright.worker.cli.gate.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader, and that {@code docs/gate.schema.json} says the same. */
class GateFileReaderTest {

    private static final String WHOLE = """
            gate: gemm
            device: cuda:0
            budgetSeconds: 120.5
            margins: {warn: 0.4, fail: 1.5}
            weight: 2
            accept: [relaxed-exit-barrier]
            baseline: {branch: main}
            kernels:
              ours:
                family: some-family
                config: {scheduler: static, tile: 128, depth: 4}
              hand:
                bundle: kernels/hand
                config: {tile: 64}
                source: kernels/hand/gemm.ptx
              kept: {bundle: "my-gemm@0123456789abcdef"}
              built: {build: "make bundle", bundle: out/bundle, limitSeconds: 30}
              best: {best: true}
              vendor: {peer: some-peer, algorithm: "3"}
            problems:
              square: 512x384x256
              two: 512x384x256+64x128x256
              odd: {shape: 45x70x72, batch: 3, types: [e4m3, e5m2, bf16], major: [m, k], scales: row, epilogue: "bias,gelu", busySms: 8, overlap: true}
              half: {shape: 45x70x72, dtype: f16}
            cases:
              - {kernels: [ours, hand], problems: [square, odd]}
              - {kernels: [built], baseline: {kernel: vendor}, margins: {fail: 3}, weight: 0.5, accept: []}
              - {kernels: [best], problems: [half], baseline: {run: 3153c195-457f-432b-af6c-aa492dbe5604}}
              - {kernels: [kept], problems: [half], baseline: {lastPass: release/2.x}}
              - {kernels: [ours], problems: [half], baseline: {commit: 1234567}}
              - {kernels: [hand], problems: [half], baseline: {tag: v1.0}}
            retuneSeconds: 60
            """;

    private static final String LEAST = """
            gate: gemm
            baseline: {kernel: vendor}
            kernels:
              ours: {config: {tile: 128}}
              other: {config: {tile: 64}}
              vendor: {peer: some-peer}
            problems: {square: 512x384x256, tall: 128x8192x64}
            """;

    private static GateFile read(String text) {
        return GateFileReader.read("tilewright.yaml", text);
    }

    private static List<Error> schemaErrors(String yaml) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("..", "..", "docs", "gate.schema.json")))
                .validate(yaml, InputFormat.YAML);
    }

    private static List<String> complaints(String text) {
        try {
            read(text);
        } catch (CommandFailedException wrong) {
            assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
            return java.util.stream.Stream.concat(
                            java.util.stream.Stream.of(wrong.getMessage()), wrong.details().stream())
                    .toList();
        }
        throw new AssertionError("no complaint about\n" + text);
    }

    @Test
    void readsEverythingThereIs() throws IOException {
        assertThat(schemaErrors(WHOLE)).isEmpty();
        GateFile file = read(WHOLE);
        assertThat(file.gate()).isEqualTo("gemm");
        assertThat(file.device()).isEqualTo("cuda:0");
        assertThat(file.budgetSeconds()).contains(120.5);
        assertThat(file.retuneSeconds()).contains(60);
        assertThat(file.cases())
                .extracting(CaseEntry::name)
                .containsExactly(
                        "ours/square",
                        "ours/odd",
                        "hand/square",
                        "hand/odd",
                        "built/square",
                        "built/two",
                        "built/odd",
                        "built/half",
                        "best/half",
                        "kept/half",
                        "ours/half",
                        "hand/half");
        CaseEntry ours = file.cases().getFirst();
        assertThat(ours.kernel())
                .isEqualTo(new KernelEntry(
                        "ours",
                        new KernelEntry.OfFamily(),
                        Optional.of("some-family"),
                        ConfigRequest.of(Config.parse("scheduler=static tile=128 depth=4")),
                        Optional.empty(),
                        9));
        assertThat(ours.baseline()).isEqualTo(new BaselineEntry.Branch("main"));
        assertThat(ours.margins()).isEqualTo(new Margins(0.4, 1.5));
        assertThat(ours.weight()).isEqualTo(2);
        assertThat(ours.accept()).containsExactly("relaxed-exit-barrier");
        CaseEntry built = file.cases().get(4);
        assertThat(built.kernel().origin())
                .isEqualTo(new KernelEntry.Built("make bundle", "out/bundle", Duration.ofSeconds(30)));
        assertThat(built.baseline())
                .isEqualTo(new BaselineEntry.OtherKernel(file.kernel("vendor").orElseThrow()));
        assertThat(built.margins()).isEqualTo(new Margins(0.5, 3));
        assertThat(built.accept()).isEmpty();
        assertThat(file.cases().subList(8, 12))
                .extracting(CaseEntry::baseline)
                .containsExactly(
                        new BaselineEntry.Run(UUID.fromString("3153c195-457f-432b-af6c-aa492dbe5604")),
                        new BaselineEntry.LastPass("release/2.x"),
                        new BaselineEntry.Commit("1234567"),
                        new BaselineEntry.Tag("v1.0"));
    }

    @Test
    void aProblemHasTheTypesOfItsBundleUnlessItSaysThem() {
        GateFile file = read(WHOLE);
        Problem odd = file.cases().get(1).problem().problem(Optional.empty());
        assertThat(odd.types()).isEqualTo(new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16));
        assertThat(odd.major().a()).isEqualTo(Major.M);
        assertThat(odd.scales()).isEqualTo(Scales.ROW);
        assertThat(odd.batch()).isEqualTo(3);
        assertThat(odd.scenario().busySms()).isEqualTo(8);
        assertThat(odd.scenario().launchOverlap()).isTrue();
        ProblemEntry square = file.cases().getFirst().problem();
        assertThat(square.problem(Optional.of(odd)).types()).isEqualTo(odd.types());
        assertThat(square.problem(Optional.empty()).types()).isEqualTo(OperandTypes.of(DataType.BF16));
        assertThat(file.cases().get(5).problem().shapes()).hasSize(2);
    }

    @Test
    void aConfigMayBeInTheWordsOfABoard() throws IOException {
        String file = LEAST.replace("{config: {tile: 64}}", "{config: static 128x128x64 s6 alongM coop2}");

        assertThat(schemaErrors(file)).isEmpty();
        assertThat(read(file).cases().getLast().kernel().config())
                .isEqualTo(new ConfigRequest.Text("static 128x128x64 s6 alongM coop2"));
    }

    @Test
    void withoutCasesAllKernelsThatAreNoBaselineMeetAllProblems() throws IOException {
        assertThat(schemaErrors(LEAST)).isEmpty();
        assertThat(read(LEAST).cases())
                .extracting(CaseEntry::name)
                .containsExactly("ours/square", "ours/tall", "other/square", "other/tall");
        assertThat(read(LEAST).cases().getFirst().margins()).isEqualTo(Margins.STANDARD);
        assertThat(read(LEAST.replace("{kernel: vendor}", "{kernel: other}")).cases())
                .extracting(CaseEntry::name)
                .containsExactly("ours/square", "ours/tall");
    }

    private static final String PROGRAMS = """
            gate: decode
            baseline: {branch: main}
            programs:
              decode:
                run: [python, decode.py, --rows, 16]
                pack: out/pack
                step: engine.core:Engine.step
                warmUp: 3
                seconds: 60
                margins: {warn: 0.4, fail: 2}
                weight: 3
              prefill: {run: [./prefill.sh], baseline: {tag: v1.0}}
            """;

    @Test
    void aFileMayBeOfProgramsAlone() throws IOException {
        assertThat(schemaErrors(PROGRAMS)).isEmpty();
        GateFile file = read(PROGRAMS);
        assertThat(file.cases()).isEmpty();
        assertThat(file.programs())
                .containsExactly(
                        new ProgramEntry(
                                "decode",
                                List.of("python", "decode.py", "--rows", "16"),
                                Optional.of("out/pack"),
                                "engine.core:Engine.step",
                                3,
                                Duration.ofSeconds(60),
                                new BaselineEntry.Branch("main"),
                                new Margins(0.4, 2),
                                3,
                                4),
                        new ProgramEntry(
                                "prefill",
                                List.of("./prefill.sh"),
                                Optional.empty(),
                                "",
                                10,
                                Duration.ofSeconds(300),
                                new BaselineEntry.Tag("v1.0"),
                                Margins.STANDARD,
                                1,
                                12));
        String both = LEAST + "programs: {decode: {run: [python, decode.py], baseline: {branch: main}}}\n";
        assertThat(schemaErrors(both)).isEmpty();
        assertThat(read(both).cases()).hasSize(4);
        assertThat(read(both).programs()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run: [./prefill.sh] | run: [] | programs.prefill.run: must begin with a program",
                "run: [./prefill.sh] | run: ./prefill.sh | programs.prefill.run: must be a list",
                "run: [./prefill.sh] | pack: p | programs.prefill: needs the key 'run'",
                "tag: v1.0 | lastPass: main | programs.prefill.baseline: the baseline of a program is",
                "baseline: {branch: main} | seconds: 3 | unknown key 'seconds'",
                "{branch: main} | {run: 3153c195-457f-432b-af6c-aa492dbe5604} | programs.decode: the baseline of",
                "pack: out/pack | pack: ../pack | programs.decode.pack: must be a path below the folder of the file",
                "engine.core:Engine.step | __main__:step | programs.decode.step: names a function of a module that the",
                "warmUp: 3 | warmUp: 0 | programs.decode.warmUp: must be an integer of 1..1000000, got 0",
                "seconds: 60 | seconds: 1.5 | programs.decode.seconds",
                "prefill: | -prefill: | a name is"
            })
    void faultsOfProgramsAreNamed(String right, String wrong, String complaint) throws IOException {
        String file = PROGRAMS.replace(right, wrong);
        assertThat(complaints(file)).anyMatch(line -> line.contains(complaint));
        assertThat(schemaErrors(file)).isNotEmpty();
    }

    @Test
    void saysAllThatIsWrongWithAProgramAtOnce() {
        assertThat(complaints("gate: x\nprograms: {a: {run: [], warmup: 3}}\n"))
                .hasSize(3)
                .anyMatch(line -> line.contains("programs.a.run: must begin with a program"))
                .anyMatch(line -> line.contains("programs.a: needs the key 'baseline'"))
                .anyMatch(line -> line.contains("unknown key 'warmup'"));
    }

    @Test
    void saysAllThatIsWrongAtOnceWithLineValueAndRule() {
        assertThat(complaints("""
                        gate: my gate
                        device: emulated
                        budget: 3
                        margins: {warn: 2, fail: 1}
                        kernels:
                          ours: {config: {tile: 1.5}, bundle: ../elsewhere}
                          hand: {family: none}
                        problems:
                          square: 512*384*256
                          odd: {shape: 45x70x72, batch: 0, dtype: fp16}
                        """))
                .containsExactly(
                        "tilewright.yaml:1:1: gate: must be 1 to 64 letters, digits and ._- and begin with a letter or digit,"
                                + " got 'my gate'",
                        "tilewright.yaml:1:1: document: needs the key 'baseline', here or for all cases",
                        "tilewright.yaml:2:1: device: must have times, which an emulated GPU has not, got 'emulated'",
                        "tilewright.yaml:3:1: budget: unknown key 'budget'; known: gate, device, budgetSeconds,"
                                + " retuneSeconds, margins, weight, accept, baseline, kernels, problems, cases, programs",
                        "tilewright.yaml:4:1: margins: margins are percentages with 0 < warn <= fail <= 100, got warn 2.0"
                                + " and fail 1.0",
                        "tilewright.yaml:6:19: kernels.ours.config.tile: must be a whole number or a word, got 1.5",
                        "tilewright.yaml:6:31: kernels.ours.bundle: must be a path below the folder of the file, got"
                                + " '../elsewhere'",
                        "tilewright.yaml:7:3: kernels.hand: needs one of the keys 'config', 'bundle', 'build', 'best' and"
                                + " 'peer'",
                        "tilewright.yaml:9:3: problems.square: a shape is MxNxK, such as 2048x1024x768, got"
                                + " '512*384*256'; did you mean 512x384x256?",
                        "tilewright.yaml:10:26: problems.odd.batch: must be an integer of 1..1048576, got 0",
                        "tilewright.yaml:10:36: problems.odd.dtype: unknown data type 'fp16'; known: bf16, f16, f32,"
                                + " e4m3, e5m2; did you mean f16?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gate: gemm -> gates: gemm",
                "gate: gemm -> gate: [gemm]",
                "device: cuda:0 -> device: gpu0",
                "budgetSeconds: 120.5 -> budgetSeconds: 0",
                "retuneSeconds: 60 -> retuneSeconds: 19",
                "retuneSeconds: 60 -> retuneSeconds: 20.5",
                "warn: 0.4 -> warn: -1",
                "warn: 0.4 -> warm: 0.4",
                "weight: 2 -> weight: 0",
                "accept: [relaxed-exit-barrier] -> accept: relaxed-exit-barrier",
                "baseline: {branch: main} -> baseline: {branch: main, tag: x}",
                "baseline: {branch: main} -> baseline: {}",
                "baseline: {branch: main} -> baseline: {branch: --upload-pack=x}",
                "ours:\n    family -> our s:\n    family",
                "tile: 128 -> tile: [128]",
                "bundle: kernels/hand -> bundle: /kernels/hand",
                "limitSeconds: 30 -> limitSeconds: 0",
                "build: \"make bundle\", bundle: out/bundle -> build: \"make bundle\"",
                "best: {best: true} -> best: {best: false}",
                "algorithm: \"3\" -> algorithm: 3",
                "square: 512x384x256 -> square: 512x384",
                "batch: 3 -> batch: three",
                "types: [e4m3, e5m2, bf16] -> types: [e4m3, e5m2]",
                "types: [e4m3, e5m2, bf16] -> types: [e4m3, e5m2, bf17]",
                "major: [m, k] -> major: [n, k]",
                "scales: row -> scales: rows",
                "busySms: 8 -> busySms: -8",
                "dtype: f16} -> dtype: f16, types: [f16, f16, f16]}",
                "overlap: true -> overlap: yes please",
                "kernels: [ours, hand] -> kernels: []",
                "run: 3153c195 -> run: 3153c19",
                "commit: 1234567 -> commit: HEAD",
            })
    void reasonAndSchemaRefuseTheSame(String change) throws IOException {
        String[] parts = change.split(" -> ", -1);
        assertThat(WHOLE).contains(parts[0]);
        String damaged =
                WHOLE.replaceFirst(Pattern.quote(parts[0]), java.util.regex.Matcher.quoteReplacement(parts[1]));
        assertThat(schemaErrors(damaged)).as(change).isNotEmpty();
        assertThat(complaints(damaged))
                .as(change)
                .allSatisfy(line -> assertThat(line).matches("tilewright\\.yaml:\\d+:\\d+: .+"));
    }

    @Test
    void whatASchemaCannotSayIsRefusedToo() {
        assertThat(complaints(WHOLE.replace("[ours, hand]", "[ours, hans]")))
                .containsExactly("tilewright.yaml:26:22: cases[0].kernels[1]: unknown name 'hans'; known: ours, hand,"
                        + " kept, built, best, vendor; did you mean hand?");
        assertThat(complaints("gate: [x\n  y"))
                .containsExactly(
                        "tilewright.yaml:2:4: document: is no YAML: a list in [] is not closed, or lacks a comma");
        assertThat(complaints(WHOLE.replace("kernels: [best]", "kernels: [vendor]")))
                .containsExactly("tilewright.yaml:28:6: cases[2].kernels: the peer 'vendor' can be a baseline, and no"
                        + " candidate");
        assertThat(complaints(WHOLE.replace("kernels: [kept]", "kernels: [best]")))
                .containsExactly("tilewright.yaml:25:1: cases: has the case 'best/half' twice");
        assertThat(complaints(WHOLE.replace("relaxed-exit-barrier", "no-such-rule"))
                        .getFirst())
                .contains("tilewright.yaml:6:1: accept: ", "no-such-rule");
        assertThat(complaints(LEAST.replace("{kernel: vendor}", "{kernel: vender}"))
                        .getFirst())
                .contains("unknown kernel 'vender'; known: ours, other, vendor");
        assertThat(complaints(LEAST.replaceAll("(?m)^  (ours|other): .*\n", "")))
                .containsExactly("tilewright.yaml:1:1: document: needs at least one case, a kernel and a problem, or a"
                        + " program, got none");
    }

    @Test
    void whatIsNoYamlHasAPlaceToo() {
        assertThat(complaints("gate: [gemm\n").getFirst()).matches("tilewright\\.yaml:\\d+:\\d+: document: .+");
        assertThat(complaints("").getFirst()).isEqualTo("tilewright.yaml:1:1: document: is empty");
    }

    @Test
    void aFileThatIsNotThereNamesTheVerbThatWritesOne() {
        assertThatThrownBy(() -> GateFileReader.read(Path.of("none.yaml")))
                .hasMessage("none.yaml: there is no such file; tilewright gate init writes one");
    }
}
