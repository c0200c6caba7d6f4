package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** {@code export --trial} and {@code --best} against an API that answers from a script. */
@Timeout(60)
class ExportOfTrialsTest {

    private static final String TRIAL = "0190aaaa-0000-7000-8000-000000000001";
    private static final String STUDY = "0190aaaa-0000-7000-8000-000000000002";
    private static final String SHAPE = "1000x1032x264";
    private static final Config CONFIG = Config.parse(ExportCommandTest.CONFIG);

    @TempDir
    private Path folder;

    private HttpServer server;
    private final Map<String, byte[]> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private KernelExport tried;

    @BeforeEach
    void open() throws IOException {
        tried = KernelExport.of(
                GemmFamilies.standard().named("sm90-gemm"),
                Problem.of(ProblemShape.parse(SHAPE), DataType.BF16),
                CONFIG,
                DeviceLimits.of(132));
        trial("completed", "cuda");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestURI().toString());
                byte[] known = answers.get(exchange.getRequestURI().getPath());
                byte[] body = known == null
                        ? "{\"type\":\"urn:x\",\"status\":404,\"title\":\"t\",\"detail\":\"there is no such thing\",\"errors\":[]}"
                                .getBytes(StandardCharsets.UTF_8)
                        : known;
                exchange.getResponseHeaders()
                        .add("Content-Type", known == null ? "application/problem+json" : "application/json");
                exchange.sendResponseHeaders(known == null ? 404 : 200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void answer(String path, String body) {
        answers.put("/api/v1" + path, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String testbed(String kind, String device) {
        return """
                {"kind":"%s","device":"%s","driver":"580","assembler":"ptxas 13","smCount":132,"clockPolicy":"factory"}""".formatted(kind, device);
    }

    private void trial(String outcome, String kind) {
        answer("/trials/" + TRIAL, """
                {"id":"%s","studyId":"%s","family":"sm90-gemm","config":%s,"outcome":"%s","ptxHash":"%s","tflops":512.34}""".formatted(
                        TRIAL, STUDY, Json.mapper().writeValueAsString(CONFIG), outcome, Sha256.hex(tried.ptx())));
        answer("/studies/" + STUDY, """
                {"problem":{"m":1000,"n":1032,"k":264,"dtype":"bf16"},"testbed":%s}""".formatted(testbed(kind, "NVIDIA H200")));
    }

    private void files(String cubin) {
        answer("/trials/" + TRIAL + "/ptx", tried.ptx());
        answer("/trials/" + TRIAL + "/launch", LaunchWriter.json(tried.launch()));
        answer("/trials/" + TRIAL + "/cubin", cubin);
    }

    private void best(String nearest, String... devices) {
        List<String> items = new ArrayList<>();
        for (String device : devices) {
            items.add("""
                    {"family":"sm90-gemm","testbed":%s,"config":%s,"tflops":100.0,"medianNs":5000.0,"trialId":"%s"}""".formatted(testbed("cuda", device), Json.mapper().writeValueAsString(CONFIG), TRIAL));
        }
        answer("/best", "{\"nearest\":" + nearest + ",\"items\":[" + String.join(",", items) + "]}");
    }

    private record Seen(int exit, List<String> out, String err) {}

    private Seen export(String... options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        StringWriter err = new StringWriter();
        CommandLine verbs = RootCommand.commandLine(
                Map.of(),
                new ExportCommand(
                        GemmFamilies.standard(),
                        Map.of(),
                        (_, _) -> new TextAssembler.Outcome.Assembled(new byte[] {9}),
                        stream,
                        stream));
        verbs.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of(
                "export", "--api", "http://127.0.0.1:" + server.getAddress().getPort(), "--to", folder.toString()));
        arguments.addAll(List.of(options));
        int exit = verbs.execute(arguments.toArray(String[]::new));
        return new Seen(exit, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString());
    }

    @Test
    void aTrialIsWrittenAsItWasTried() throws IOException {
        files("the cubin");

        Seen seen = export("--trial", TRIAL);

        assertThat(seen.err()).isEmpty();
        assertThat(seen.out())
                .contains(
                        "  trial " + TRIAL + " of study " + STUDY,
                        "  measured: 512.3 TFLOP/s on NVIDIA H200, driver 580, ptxas 13, 132 SMs, clocks factory");
        assertThat(folder.resolve("gemm_1000x1032x264.ptx")).content().isEqualTo(tried.ptx());
        assertThat(folder.resolve("gemm_1000x1032x264.cubin")).content().isEqualTo("the cubin");
        assertThat(folder.resolve("kernel.yaml"))
                .content()
                .isEqualTo(LaunchWriter.yaml(
                        List.of(
                                tried.title(),
                                "trial " + TRIAL + " of study " + STUDY,
                                "measured: 512.3 TFLOP/s on NVIDIA H200, driver 580, ptxas 13, 132 SMs, clocks factory"),
                        tried.launch()));
    }

    /** The newest table that a GPU measured; where several have one, the user says which. */
    @Test
    void aMeasuredTableOfARangeIsWritten() throws IOException {
        assertThat(export("--shape", "1-300x1032x264").err()).contains("there is no such thing");
        answer("/ranges", "{\"items\":[]}");
        Seen unknown = export("--shape", "1-300x1032x264", "--dtype", "bf16");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err())
                .contains("no table of kernels is known for --shape 1-300x1032x264: tune it on a real GPU, or give"
                        + " --simulated or --config");

        String known = """
                {"jobId":"%s","finishedAt":null,"testbed":%s,"range":{"problem":{"m":1,"mTo":300,"n":1032,"k":264,"dtype":"bf16"},
                 "family":"sm90-gemm","phase":"over","table":{"screened":9,"kernels":[{"from":1,"to":300,"config":%s,"usFrom":4.5,"usTo":5.5}],
                 "checkedAt":[7],"drawn":true,"seed":1,"beside":15,"regret":null},"error":null}}""";
        String h200 = known.formatted(
                STUDY, testbed("cuda", "NVIDIA H200"), Json.mapper().writeValueAsString(CONFIG));
        answer("/ranges", "{\"items\":[" + h200 + "]}");
        Seen seen = export("--shape", "1-300x1032x264", "--testbed", "H200");

        assertThat(seen.err()).isEmpty();
        assertThat(asked.getLast())
                .startsWith("/api/v1/ranges?shape=1-300x1032x264&types=bf16%2Cbf16%2Cbf16")
                .endsWith("&testbed=H200");
        assertThat(seen.out())
                .containsExactly(
                        "written: " + folder + ": sm90-gemm on 1-300x1032x264, 132 SMs, measured on NVIDIA H200,"
                                + " driver 580, job " + STUDY + ", 1 kernel");
        assertThat(folder.resolve("gemm_1_300x1032x264.json"))
                .content()
                .contains("\"kind\" : \"measured\"", "\"usFrom\" : 4.5");
        assertThat(folder.resolve("gemm_1_300x1032x264_0.ptx")).content().isEqualTo(tried.ptx());

        answer(
                "/ranges",
                "{\"items\":[" + h200 + ","
                        + known.formatted(
                                STUDY,
                                testbed("cuda", "NVIDIA H100"),
                                Json.mapper().writeValueAsString(CONFIG))
                        + "]}");
        Seen several = export("--shape", "1-300x1032x264");
        assertThat(several.exit()).isEqualTo(2);
        assertThat(several.err())
                .contains("--best: --shape 1-300x1032x264 has several tables; give --testbed or --family")
                .contains("sm90-gemm on NVIDIA H100, driver 580, job " + STUDY);
    }

    /** Of before kernels were kept: the text is that of its hash. */
    @Test
    void aTrialWhoseKernelIsNotKeptIsBuiltAgain() throws IOException {
        assertThat(export("--trial", TRIAL).exit()).isZero();
        assertThat(folder.resolve("gemm_1000x1032x264.ptx")).content().isEqualTo(tried.ptx());
        assertThat(Files.readAllBytes(folder.resolve("gemm_1000x1032x264.cubin")))
                .containsExactly(9);

        answer(
                "/trials/" + TRIAL,
                new String(answers.get("/api/v1/trials/" + TRIAL), StandardCharsets.UTF_8)
                        .replace(Sha256.hex(tried.ptx()), Sha256.hex("of another build")));
        Seen other = export("--trial", TRIAL);
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.err())
                .contains("the service has not kept the kernel of " + TRIAL
                        + ", and this program builds another text of its config");
    }

    @Test
    void aSimulatedTrialIsLabelled() {
        trial("completed", "simulated");
        files("c");

        Seen seen = export("--trial", TRIAL);

        assertThat(seen.out().getFirst()).contains(": simulated, never measured: sm90-gemm ");
        assertThat(seen.out())
                .contains("  simulated, never measured: predicted 512.3 TFLOP/s on a model of NVIDIA H200");
        for (String file : List.of("kernel.yaml", "gemm_1000x1032x264.h", "gemm_1000x1032x264.py")) {
            assertThat(folder.resolve(file)).content().contains("simulated, never measured: sm90-gemm ");
        }
    }

    @Test
    void onlyACompletedTrialOfTheProblemIsExported() {
        Seen other = export("--trial", TRIAL, "--shape", "512x512x512");
        assertThat(other.exit()).isEqualTo(2);
        assertThat(other.err()).contains("--trial: " + TRIAL + " is of 1000x1032x264 bf16, not of 512x512x512 bf16");

        trial("mismatch", "cuda");
        Seen wrong = export("--trial", TRIAL);
        assertThat(wrong.exit()).isEqualTo(1);
        assertThat(wrong.err()).contains("ended mismatch: only a completed trial is exported");

        answers.clear();
        Seen unknown = export("--trial", TRIAL);
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no such thing");
    }

    @Test
    void theBestIsTheTrialOfItsFinal() {
        files("the cubin");
        best("null", "NVIDIA H200");

        assertThat(export("--shape", SHAPE, "--testbed", "H200").exit()).isZero();

        assertThat(asked.getFirst()).isEqualTo("/api/v1/best?shape=1000x1032x264&dtype=bf16&nearest=true&testbed=H200");
        assertThat(folder.resolve("gemm_1000x1032x264.cubin")).content().isEqualTo("the cubin");
    }

    @Test
    void theBestOfAnOlderDriverGivesWayToAFreshOne() {
        files("the cubin");
        String item = """
                {"problem":{"m":1000,"n":1032,"k":264,"dtype":"bf16"},"family":"sm90-gemm","testbed":%s,"config":%s,
                "tflops":100.0,"medianNs":5000.0,"trialId":"%s","stale":%s}""";
        String config = Json.mapper().writeValueAsString(CONFIG);
        String testbed = testbed("cuda", "NVIDIA H200");
        answer(
                "/best",
                "{\"nearest\":null,\"items\":["
                        + item.formatted(testbed, config, STUDY, "\"measured with driver 1; workers offer 2\"") + ","
                        + item.formatted(testbed, config, TRIAL, "null") + "]}");

        assertThat(export("--shape", SHAPE).exit()).isZero();
        assertThat(asked).contains("/api/v1/trials/" + TRIAL);
    }

    /** The config of another shape, in a launch of this one. */
    @Test
    void theBestOfTheNearestShapeIsBuiltForThisOne() {
        best("{\"asked\":\"1024x1032x264\",\"shape\":\"1000x1032x264\",\"factor\":1.024}", "NVIDIA H200");

        Seen seen = export("--shape", "1024x1032x264", "--best");

        assertThat(seen.err()).isEmpty();
        assertThat(seen.out().get(1))
                .isEqualTo(
                        "  not tuned for this shape: the best config of the nearest known one, 1000x1032x264 (M, N and"
                                + " K differ by a factor of 1.02 in all), trial " + TRIAL + " on NVIDIA H200");
        assertThat(folder.resolve("kernel.yaml")).content().contains("shape: [1024, 264]");
    }

    /** The trials that the kernel was chosen from; those that say nothing of their config are no results of a tuner. */
    @Test
    void theTrialsOfItsStudyAreWrittenBesideIt() throws IOException {
        files("the cubin");
        String config = Json.mapper().writeValueAsString(CONFIG);
        answer("/studies/" + STUDY + "/trials", """
                {"items":[
                {"config":%1$s,"outcome":"completed","errorRatio":0.25,"registers":168,"tflops":512.3,
                "timesNs":{"build":1000000,"assemble":2000000,"verify":4000000},"finishedAt":"2026-11-25T10:00:00Z",
                "measurements":[{"mode":"sustained","stage":"screen","blocks":1,"launches":9,"medianNs":6000.0},
                {"mode":"cold","stage":"final","blocks":5,"launches":50,"medianNs":9000.0},
                {"mode":"sustained","stage":"final","blocks":5,"launches":50,"medianNs":5000.0,"ciLowNs":4900.0,
                "ciHighNs":5100.0}]},
                {"config":%1$s,"outcome":"spill","registers":255,"measurements":[]},
                {"config":%1$s,"outcome":"infrastructure","measurements":[]}],"next":null}""".formatted(config));

        assertThat(export("--trial", TRIAL, "--format", "t4,csv,json").exit()).isZero();

        JsonNode t4 = Json.mapper().readTree(Files.readAllBytes(folder.resolve("gemm_1000x1032x264.t4.json")));
        assertThat(t4.get("schema_version").asString()).isEqualTo("1.0.0");
        assertThat(t4.get("results")).hasSize(2);
        JsonNode first = t4.get("results").get(0);
        assertThat(first.at("/configuration/tileM").asInt()).isEqualTo(128);
        assertThat(first.get("times").toString())
                .isEqualTo("{\"compilation_time\":3.0,\"runtimes\":[0.005],\"validation\":4.0}");
        assertThat(first.get("measurements").toString())
                .isEqualTo("[{\"name\":\"time\",\"value\":0.005,\"unit\":\"ms\"}]");
        assertThat(t4.get("results")
                        .valueStream()
                        .map(result -> result.get("invalidity").asString()))
                .containsExactly("correct", "compile");
        assertThat(first.get("correctness").asInt()).isOne();
        assertThat(first.get("verified").asBoolean()).isTrue();
        assertThat(Files.readAllLines(folder.resolve("gemm_1000x1032x264.trials.csv")))
                .containsExactly(
                        "kind,device,problem,config,outcome,stage,us,ciLowUs,ciHighUs,tflops,errorRatio,registers",
                        "cuda,NVIDIA H200,1000x1032x264 bf16," + CONFIG.canonical()
                                + ",completed,final,5.0,4.9,5.1,512.3,0.25,168",
                        "cuda,NVIDIA H200,1000x1032x264 bf16," + CONFIG.canonical() + ",spill,,,,,,,255",
                        "cuda,NVIDIA H200,1000x1032x264 bf16," + CONFIG.canonical() + ",infrastructure,,,,,,,");
        assertThat(Json.mapper()
                        .readTree(Files.readAllBytes(folder.resolve("gemm_1000x1032x264.trials.json")))
                        .get("trials"))
                .hasSize(3);
        assertThat(folder.resolve("gemm_1000x1032x264.py")).doesNotExist();

        trial("completed", "simulated");
        export("--trial", TRIAL, "--format", "t4");
        assertThat(folder.resolve("gemm_1000x1032x264.t4.json"))
                .content()
                .contains("\"simulated time\"")
                .doesNotContain("\"time\"");
        // A model verifies nothing: the format has no word for that, so nothing is called correct.
        JsonNode predicted = Json.mapper().readTree(Files.readAllBytes(folder.resolve("gemm_1000x1032x264.t4.json")));
        assertThat(predicted.at("/testbed/kind").asString()).isEqualTo("simulated");
        assertThat(predicted.get("results").valueStream()).isNotEmpty().allSatisfy(result -> {
            assertThat(result.get("invalidity").asString()).isNotEqualTo("correct");
            assertThat(result.get("correctness").asInt()).isZero();
            assertThat(result.get("verified").asBoolean()).isFalse();
        });
    }

    @Test
    void whatCannotBeDecidedIsAskedFor() {
        best("null", "NVIDIA H200", "NVIDIA H100");
        Seen two = export("--shape", SHAPE);
        assertThat(two.exit()).isEqualTo(2);
        assertThat(two.err())
                .contains("--best: --shape 1000x1032x264 has several; give --testbed, --family, or --trial")
                .contains("on NVIDIA H100, driver ", "on NVIDIA H200, driver ");

        best("null");
        Seen none = export("--shape", SHAPE);
        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.err()).contains("no best config is known for --shape 1000x1032x264 nor for another shape");

        asked.clear();
        Seen batch =
                export("--shape", SHAPE + "+512x512x512", "--batch", "2", "--types", "f16,f16,f32", "--major", "m,k");
        assertThat(batch.exit()).isEqualTo(1);
        assertThat(batch.err()).contains("no best config is known for --shape 1000x1032x264+512x512x512: tune it");
        assertThat(asked)
                .containsExactly(
                        "/api/v1/best?shape=1000x1032x264%2B512x512x512&types=f16%2Cf16%2Cf32&major=m%2Ck%2Cn&batch=2"
                                + "&overlap=false");

        Seen both = export("--trial", TRIAL, "--best");
        assertThat(both.exit()).isEqualTo(2);
        assertThat(both.err()).contains("--best: says what to export, and so does --trial");
    }

    private static final String ALGORITHM =
            "algorithmId=66 tileId=23 splitKNum=1 reductionScheme=0 ctaSwizzling=0 customOption=4 stagesId=35 innerShapeId=0"
                    + " clusterShapeId=3";

    private void ofLibrary(String log) {
        answer("/trials/" + TRIAL, """
                {"id":"%s","studyId":"%s","family":"cublaslt","config":%s,"outcome":"completed","tflops":512.34,"log":%s}""".formatted(
                        TRIAL,
                        STUDY,
                        Json.mapper().writeValueAsString(Config.parse(ALGORITHM)),
                        Json.mapper().writeValueAsString(log)));
        answer("/studies/" + STUDY + "/trials", "{\"items\":[],\"next\":null}");
    }

    @Test
    void anAlgorithmOfTheLibraryIsAProgramInCForItsVersion() throws IOException {
        ofLibrary("library: libcublasLt.so.13 130100\nlaunches nvjet_hsh grid 8x16x1");
        Seen seen = export("--trial", TRIAL, "--name", "best", "--format", "c,csv");
        assertThat(seen.exit()).as(seen.err() + seen.out()).isZero();
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("best.h", "best.c", "best_test.c", "CMakeLists.txt", "best.trials.csv");
        }
        assertThat(Files.readString(folder.resolve("best.h")))
                .contains(
                        "#define BEST_CUBLASLT_VERSION 130100",
                        "measured: 512.3 TFLOP/s on NVIDIA H200",
                        ALGORITHM.substring(0, 14));
        assertThat(Files.readString(folder.resolve("best.c")))
                .contains(
                        "{CUBLASLT_ALGO_CONFIG_TILE_ID, \"TILE_ID\", 23, sizeof(uint32_t)}",
                        "{CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, \"CLUSTER_SHAPE_ID\", 3, sizeof(uint16_t)}");
    }

    @Test
    void anAlgorithmIsWrittenAsNothingThatNeedsAText() throws IOException {
        ofLibrary("library: libcublasLt.so.13 130100");
        for (String format : List.of("bundle", "torch", "c,torch", "c,bundle")) {
            Seen seen = export("--trial", TRIAL, "--format", format);
            assertThat(seen.exit()).as(format).isEqualTo(2);
            assertThat(seen.err())
                    .contains(
                            "--format: there is no text of cublaslt algorithmId=66", "a program in c is written of it");
        }
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
        Seen given = export("--shape", SHAPE, "--family", "cublaslt", "--config", ALGORITHM);
        assertThat(given.exit()).isEqualTo(2);
        assertThat(given.err()).contains("its program holds for the version of the library that measured it");
    }

    @Test
    void anAlgorithmOfAnUnknownVersionIsNotExported() {
        ofLibrary("launches nvjet_hsh");
        Seen seen = export("--trial", TRIAL);
        assertThat(seen.exit()).isEqualTo(1);
        assertThat(seen.err()).contains("does not say which version of the library it ran on");
    }
}
