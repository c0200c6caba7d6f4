package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.proof.ConfigSample;
import dev.tilewright.proof.bundle.BundleCheck;
import dev.tilewright.proof.bundle.BundleProof;
import dev.tilewright.proof.bundle.ShapeProof;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** {@code export} from its options to its files. */
class ExportCommandTest {

    static final String CONFIG = "clusterM=2 clusterN=1 clusterOrder=launch consumers=2 ctasPerSm=1 epilogueN=64"
            + " epilogueStages=2 gridSize=0 l2Hint=none l2Promotion=128 loadStages=4 loadStart=free mode=cooperative"
            + " multicast=both rasterGroup=4 rasterOrder=alongM registers=232 scheduler=static splitK=1"
            + " swapAB=0 swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=128 waitDepth=1";

    @TempDir
    private Path folder;

    private TextAssembler.Outcome assembled = new TextAssembler.Outcome.Assembled(new byte[] {1, 2, 3});

    private record Seen(int exit, List<String> out, String err) {}

    private Seen export(String... options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine verbs = RootCommand.commandLine(
                Map.of(),
                new ExportCommand(
                        GemmFamilies.standard(),
                        Map.of(),
                        (_, target) -> {
                            assertThat(target).isEqualTo("sm_90a");
                            return assembled;
                        },
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(out, true, StandardCharsets.UTF_8)));
        verbs.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of("export", "--to", folder.toString()));
        arguments.addAll(List.of(options));
        int exit = verbs.execute(arguments.toArray(String[]::new));
        return new Seen(exit, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString());
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** What is exported can be brought back. */
    @Test
    void writesABundleOfItsProblem() throws IOException {
        Seen seen = export("--shape", "1000x1032x264", "--config", CONFIG, "--format", "bundle");

        assertThat(seen.exit()).isZero();
        assertThat(files()).containsExactly("gemm_1000x1032x264.ptx", "kernel.yaml");
        Bundle bundle = Bundle.read(BundleFiles.read(folder));
        assertThat(bundle.family()).isEqualTo("bundle:gemm-1000x1032x264");
        Problem problem = Problem.of(new ProblemShape(1000, 1032, 264), DataType.BF16);
        assertThat(bundle.problem().only()).hasValue(problem);
        assertThat(bundle.launch(problem, 132, Config.of(Map.of())).entry())
                .hasValue(bundle.kernel(Config.of(Map.of())).entry());
    }

    /** The epilogue is said once, by its option: the config need not repeat it. */
    @Test
    void aConfigNeedNotNameTheEpilogue() throws IOException {
        Seen seen =
                export("--shape", "1000x1032x264", "--epilogue", "bias,relu", "--config", CONFIG, "--format", "bundle");

        assertThat(seen.exit()).isZero();
        assertThat(Bundle.read(BundleFiles.read(folder)).epilogue()).hasToString("bias,relu");
    }

    /** So are scales; what is exported is a bundle of the problem with them. */
    @Test
    void aConfigNeedNotNameTheScales() throws IOException {
        Seen seen = export(
                "--shape",
                "1000x1032x528",
                "--types",
                "e4m3,e4m3,bf16",
                "--scales",
                "row",
                "--config",
                CONFIG.replace("tileK=64", "tileK=128") + " typeA=e4m3 typeB=e4m3");

        assertThat(seen.exit()).as(seen.err()).isZero();
        assertThat(files()).contains("gemm_1000x1032x528_e4m3_row.c", "gemm_1000x1032x528_e4m3_row.py");
        Bundle bundle = BundleUpload.read(folder).bundle();
        Problem asked =
                Problem.of(new ProblemShape(1000, 1032, 528), DataType.E4M3).with(Scales.ROW);
        assertThat(bundle.problem().only()).hasValue(asked);
        assertThat(bundle.problem().refusal(asked)).isEmpty();
        assertThat(bundle.problem().refusal(asked.with(Scales.TENSOR)))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("takes 1000x1032x528 A e4m3 k-major")
                        .contains("scales row alone, got"));
    }

    /** Programs and the cubin of an export lie beside its bundle, and are no part of it. */
    @Test
    void whatIsExportedWithProgramsIsTheSameBundle() throws IOException {
        export("--shape", "1000x1032x264", "--config", CONFIG, "--format", "bundle");
        String hash = BundleUpload.read(folder).bundle().hash();
        export("--shape", "1000x1032x264", "--config", CONFIG);
        assertThat(files()).contains("gemm_1000x1032x264.cubin", "selftest.py");

        BundleUpload upload = BundleUpload.read(folder);
        assertThat(upload.bundle().hash()).isEqualTo(hash);
        assertThat(BundleFiles.unzipped(new ByteArrayInputStream(upload.zip())).names())
                .containsExactly("gemm_1000x1032x264.ptx", "kernel.yaml");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --shape 192x128x256 | 1 | bf16 | splitK=2 | bundle:gemm-192x128x256
            --shape 192x128x256 --batch 3 | 3 | bf16 | scheduler=atomic | bundle:gemm-3-x-192x128x256
            --group 192x128x128 --group 64x128x192 | 1 | bf16 | | bundle:gemm-192x128x128-64x128x192
            --shape 192x128x256 --dtype e4m3 | 1 | e4m3 | | bundle:gemm-192x128x256-e4m3
            --shape 192x128x256 --dtype e4m3 --scales row | 1 | e4m3 | | bundle:gemm-192x128x256-e4m3-row
            --shape 192x136x272 --dtype e4m3 --scales block | 1 | e4m3 | | bundle:gemm-192x136x272-e4m3-block
            --shape 192x128x256 --name our_best | 1 | bf16 | loadStages=3 | bundle:our-best
            """)
    void everyKindOfKernelIsABundleThatIsProved(
            String options, int batch, String type, @Nullable String setting, String family) throws IOException {
        List<ProblemShape> shapes = Pattern.compile("\\d+x\\d+x\\d+")
                .matcher(options)
                .results()
                .map(found -> ProblemShape.parse(found.group()))
                .toList();
        Scales scales = options.contains("--scales")
                ? Scales.parse(options.substring(options.lastIndexOf(' ') + 1))
                : Scales.TENSOR;
        Problem asked = new Problem(
                        shapes, batch, OperandTypes.of(DataType.parse(type)), OperandMajors.DEFAULT, Scenario.QUIET)
                .with(scales);
        FamilySpace space =
                GemmFamilies.standard().spaces().of(Architecture.SM90).orElseThrow();
        Config config = ConfigSample.of(
                        SpaceTree.of(space.space(asked, DeviceLimits.of(132))
                                .restrict(Syntax.settings("--set", setting == null ? List.of() : List.of(setting)))),
                        1,
                        7)
                .getFirst();
        List<String> all = new ArrayList<>(List.of(options.split(" ")));
        all.addAll(List.of("--family", space.family(), "--config", config.toString(), "--format", "bundle"));
        Seen exported = export(all.toArray(String[]::new));
        assertThat(exported.exit()).as(exported.err()).isZero();

        Bundle bundle = BundleUpload.read(folder).bundle();
        assertThat(bundle.family()).isEqualTo(family);
        assertThat(bundle.problem().only()).hasValue(asked);
        BundleProof proof = new BundleCheck(
                        bundle,
                        HelperProgram.Runner.NONE,
                        new ProofPlan(132, 1, 1),
                        new CheckOptions(10_000_000, (_, _, _, _) -> {}))
                .check(Config.of(Map.of()), List.of(asked));
        assertThat(proof.word())
                .as(proof.fault().map(ShapeProof::lines).toString())
                .isIn(BundleProof.Word.PROVED, BundleProof.Word.SHALLOW);
    }

    @Test
    void writesAConfigWithoutAService() throws IOException {
        Seen seen = export("--shape", "1000x1032x264", "--config", CONFIG);

        assertThat(seen).isEqualTo(new Seen(0, seen.out(), ""));
        assertThat(seen.out().getFirst()).startsWith("written: " + folder + ": sm90-gemm clusterK=1 clusterM=2 ");
        assertThat(files())
                .containsExactly(
                        "CMakeLists.txt",
                        "gemm_1000x1032x264.c",
                        "gemm_1000x1032x264.cubin",
                        "gemm_1000x1032x264.h",
                        "gemm_1000x1032x264.ptx",
                        "gemm_1000x1032x264.py",
                        "gemm_1000x1032x264_image.c",
                        "gemm_1000x1032x264_test.c",
                        "kernel.yaml",
                        "selftest.py");
        String described = Files.readString(folder.resolve("kernel.yaml"));
        assertThat(described).contains("\n# the config was given: nothing is known of its speed\n");
        assertThat(LaunchReader.described(described).buffer("A").shape()).containsExactly(1000L, 264L);
        assertThat(Files.readAllBytes(folder.resolve("gemm_1000x1032x264.cubin")))
                .containsExactly(1, 2, 3);
    }

    @Test
    void writesTheFormatsThatAreAskedFor() throws IOException {
        assertThat(export("--shape", "1000x1032x264", "--config", CONFIG, "--format", "torch", "--name", "mine")
                        .exit())
                .isZero();
        assertThat(files()).containsExactly("kernel.yaml", "mine.cubin", "mine.ptx", "mine.py", "selftest.py");
    }

    /** Each problem has a folder of its own, and beside them is a table. */
    @Test
    void writesSeveralProblems() throws IOException {
        Seen seen = export("--shape", "1000x1032x264", "--shape", "512x512x512", "--config", CONFIG);

        assertThat(seen.exit()).isZero();
        assertThat(seen.out().getLast()).isEqualTo("written: " + folder + ": gemm, the table of 2 shapes");
        assertThat(files())
                .containsExactly(
                        "CMakeLists.txt",
                        "gemm.c",
                        "gemm.h",
                        "gemm.py",
                        "gemm_1000x1032x264",
                        "gemm_512x512x512",
                        "selftest.py");
        assertThat(folder.resolve("gemm.py"))
                .content()
                .contains("(1000, 1032, 264): \"gemm_1000x1032x264\",  # the config was given: nothing is known of its"
                        + " speed\n");
        assertThat(folder.resolve("gemm_512x512x512/gemm_512x512x512.c")).exists();
    }

    /** The driver assembles the text. */
    @Test
    void withoutAnAssemblerThereIsNoCubin() throws IOException {
        assembled = new TextAssembler.Outcome.Unavailable("no ptxas here");

        Seen seen = export("--shape", "512x512x512", "--config", CONFIG);

        assertThat(seen.exit()).isZero();
        assertThat(seen.out()).contains("  no cubin, the driver assembles the text when it is loaded: no ptxas here");
        assertThat(files()).doesNotContain("gemm_512x512x512.cubin");
        assertThat(Files.readString(folder.resolve("gemm_512x512x512.py"))).contains("\"gemm_512x512x512.ptx\"");
    }

    @Test
    void aTextThatIsRefusedIsNotWritten() throws IOException {
        assembled = new TextAssembler.Outcome.Refused("line 7");

        Seen seen = export("--shape", "512x512x512", "--config", CONFIG);

        assertThat(seen.exit()).isEqualTo(1);
        assertThat(seen.err())
                .contains("the assembler refuses the text of sm90-gemm")
                .endsWith(": line 7\n");
        assertThat(files()).isEmpty();
    }

    /** The model's table for any number of rows is one library, and says in every file that nobody measured it. */
    @Test
    void writesTheModelsTableForARange() throws IOException {
        Seen seen = export("--shape", "1-300x256x128", "--simulated");

        assertThat(seen.exit()).as(seen.err()).isZero();
        String name = "gemm_1_300x256x128";
        assertThat(seen.out())
                .first()
                .asString()
                .startsWith("written: " + folder + ": sm90-gemm on 1-300x256x128, 132 SMs, simulated h200 (")
                .contains("), never measured, ");
        assertThat(files())
                .contains("CMakeLists.txt", name + ".c", name + ".h", name + ".json", name + ".py", "selftest.py")
                .contains(name + "_0.cubin", name + "_0.ptx", name + "_0.yaml", name + "_test.c", name + "_torch.cpp");
        for (String file : List.of(".h", ".c", ".py", "_torch.cpp", ".json")) {
            assertThat(folder.resolve(name + file)).content().contains("never measured");
        }
        assertThat(folder.resolve(name + ".h"))
                .content()
                .contains("int " + name + "_run(" + name + "_workspace *workspace, const " + name
                        + "_operands *operands, uint64_t m, void *stream);");
        JsonNode manifest = Json.mapper().readTree(Files.readAllBytes(folder.resolve(name + ".json")));
        assertThat(manifest.get("kind").asString()).isEqualTo("simulated");
        assertThat(manifest.get("kernels").get(0).get("from").asInt()).isEqualTo(1);
        assertThat(manifest.get("regret").get("median").isNumber()).isTrue();
        assertThat(folder.resolve(name + ".h"))
                .content()
                .contains("_TABLE \"" + manifest.get("hash").asString() + "\"");
    }

    @Test
    void theModelsTableHasNoMoreKernelsThanAskedFor() throws IOException {
        Seen seen = export("--shape", "1-300x256x128", "--simulated", "--kernels", "1", "--format", "c");

        assertThat(seen.exit()).as(seen.err()).isZero();
        assertThat(seen.out()).first().asString().endsWith(", 1 kernel");
        assertThat(export("--shape", "300x256x128", "--simulated", "--kernels", "1")
                        .err())
                .contains("--kernels: is for a range of M");
        assertThat(export("--shape", "1-300x256x128", "--config", CONFIG, "--kernels", "1")
                        .err())
                .contains("--kernels: is for --simulated");
    }

    /** One config for each M, beside a shape of its own: each has a folder. */
    @Test
    void writesAConfigForARangeBesideAShape() throws IOException {
        Seen seen =
                export("--shape", "1-300x1032x264", "--shape", "1000x1032x264", "--config", CONFIG, "--format", "c");

        assertThat(seen.exit()).as(seen.err()).isZero();
        assertThat(files()).containsExactly("gemm_1000x1032x264", "gemm_1_300x1032x264");
        assertThat(folder.resolve("gemm_1_300x1032x264/gemm_1_300x1032x264.json"))
                .content()
                .contains("one config that was given, nothing is known of its speed")
                .doesNotContain("usFrom\" : 0");
        assertThat(seen.out()).noneMatch(line -> line.contains("table of"));
    }

    /** The weights of a model: a module finds the operator by N and K. */
    @Test
    void writesATableOfRangesForTheWeightsOfAModel() throws IOException {
        Seen seen = export("--shape", "1-300x1032x264", "--shape", "1-300x264x1032", "--config", CONFIG);

        assertThat(seen.exit()).as(seen.err()).isZero();
        assertThat(seen.out()).last().isEqualTo("written: " + folder + ": gemm, the table of 2 ranges");
        assertThat(files()).containsExactly("gemm.py", "gemm_1_300x1032x264", "gemm_1_300x264x1032");
        assertThat(folder.resolve("gemm.py"))
                .content()
                .contains("    (1032, 264): \"gemm_1_300x1032x264\",  # sm90-gemm on 1-300x1032x264")
                .contains("    (264, 1032): \"gemm_1_300x264x1032\",");

        assertThat(export("--shape", "1-300x1032x264", "--shape", "1-200x1032x264", "--config", CONFIG)
                        .out())
                .last()
                .isEqualTo("no table: a table has one range of M for each N and K, got [1032, 264, 1032, 264]");
    }

    @Test
    void theModelsChoiceForAShapeSaysSo() throws IOException {
        Seen seen = export("--shape", "512x512x512", "--simulated", "--format", "c");

        assertThat(seen.exit()).as(seen.err()).isZero();
        assertThat(seen.out()).anyMatch(line -> line.endsWith("): the choice of a model, never measured"));
        assertThat(folder.resolve("gemm_512x512x512.h")).content().contains("never measured");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --shape 1-64x512x512 --simulated --config x=1 | --config: says what to export, and so does --simulated
        --shape 1-64x512x512 --simulated --format t4 | --format: a model has no trials to write as [t4]
        --shape 1-64x512x512 --simulated --testbed h | --testbed: is for --best
        --shape 1-64x512x512 --trial 0190aaaa-0000-7000-8000-000000000001 | --trial: is of one number of rows, not of a range of M
        --shape 1-64x515x515 --simulated | --shape 1-64x515x515: k = 515 times 2 bytes is 1030
        --shape 8-2x512x512 --simulated | --shape: the least M of a range must be below the most, got 8-2
        --shape 1-2000000x64x64 --simulated | a range is exported up to M = 1048576, got 2000000
        --shape 64x512x512 --gpu h100 | --gpu: is for --config and --simulated; a trial has its GPU
        """)
    void whatIsWrongOfARangeIsSaidWithItsRule(String options, String reason) throws IOException {
        Seen seen = export(options.split(" "));

        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains(reason);
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --format cuda | --format: must be one of c, torch, bundle, t4, csv, json, got 'cuda'
        --format t4 | --format: a config has no trials to write as [t4]
        --name Winner | --name: must be small letters, digits and '_', a letter first, at most 48, got 'Winner'
        --gpu h300 | --gpu: unknown simulated GPU 'h300'; known: h200, h100, b200, gb200
        """)
    void whatIsWrongIsSaidWithItsRule(String options, String reason) throws IOException {
        List<String> all = new ArrayList<>(List.of("--shape", "512x512x512", "--config", CONFIG));
        all.addAll(List.of(options.split(" ")));

        Seen seen = export(all.toArray(String[]::new));

        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains(reason);
        assertThat(files()).isEmpty();
    }

    /** The words of boards name the same kernel. */
    @Test
    void aConfigInShortIsTheSameKernel() throws IOException {
        export("--shape", "512x512x512", "--config", CONFIG, "--format", "bundle");
        Map<String, String> written = texts();

        Seen inShort = export(
                "--shape",
                "512x512x512",
                "--config",
                "static 128x128x64 c2x1 s4 alongM coop2 mc r232",
                "--format",
                "bundle");
        assertThat(inShort.err()).isEmpty();
        assertThat(texts()).isEqualTo(written);

        Seen two = export(
                "--shape", "512x512x512", "--family", "sm90-gemm", "--config", "sm100-gemm clc 128x64x64 s4 alongM");
        assertThat(two.exit()).isEqualTo(2);
        assertThat(two.err()).contains("--config: the config is one of sm100-gemm, but the family sm90-gemm is named");
    }

    private Map<String, String> texts() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (String file : files()) {
            texts.put(file, Files.readString(folder.resolve(file)));
        }
        return texts;
    }

    @Test
    void aConfigThatBreaksARuleIsRefused() throws IOException {
        Seen twice = export("--shape", "512x512x512", "--config", CONFIG + " consumers=1");
        assertThat(twice.exit()).isEqualTo(2);
        assertThat(twice.err())
                .contains("--config: parameter 'consumers' is given twice: by 'consumers=2' and 'consumers=1'");

        Seen unlisted = export("--shape", "512x512x512", "--config", CONFIG.replace("loadStages=4", "loadStages=77"));
        assertThat(unlisted.exit()).isEqualTo(2);
        assertThat(unlisted.err())
                .contains("--config: loadStages must be one of ")
                .contains("got 77");

        Seen partial = export("--shape", "512x512x512", "--config", "loadStages=4");
        assertThat(partial.exit()).isEqualTo(2);
        assertThat(partial.err())
                .contains("--config: a config of sm90-gemm has a value for each of its ", " parameters; missing: ")
                .contains("tileM, ", "scheduler");

        assertThat(files()).isEmpty();
    }
}
