package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.ByteArrayInputStream;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code tune --api} against an API that answers from a script. */
@Timeout(60)
class TuneCommandTest {

    private static final String JOB = "00000000-0000-4000-8000-000000000099";

    private static final String STUDY = "00000000-0000-4000-8000-000000000098";

    private static final List<String> EVENTS = List.of(
            "event: job.created\ndata: {\"studies\":1}",
            "event: study.started\ndata: {\"studyId\":\"" + STUDY + "\",\"trialBudget\":5,\"mostTrials\":5}",
            "event: trial.finished\ndata: {\"studyId\":\"" + STUDY
                    + "\",\"finished\":3,\"completed\":1,\"fastestScreenTflops\":600.5}",
            "event: trial.finished\ndata: {\"studyId\":\"" + STUDY
                    + "\",\"finished\":5,\"completed\":2,\"fastestScreenTflops\":687.2}",
            "event: study.finished\ndata: {\"studyId\":\"" + STUDY + "\",\"state\":\"finished\"}",
            "event: job.finished\ndata: {\"state\":\"finished\"}");

    @TempDir
    private Path directory;

    private final List<JsonNode> submitted = new CopyOnWriteArrayList<>();
    private final List<BundleFiles> uploaded = new CopyOnWriteArrayList<>();
    private final List<String> mediaTypes = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();
    private HttpServer server;
    private String result = "cuda.json";
    private String refusal = "";
    private List<String> offered = List.of("cuda:0", "cuda:1", "emulated", "simulated:h200");
    private int outages;
    private int drops;
    private List<String> events = EVENTS;
    private final List<String> resumedBehind = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        byte[] body = exchange.getRequestBody().readAllBytes();
        paths.add(path);
        if (outages > 0 && !path.startsWith("POST")) {
            outages--;
            answer(exchange, 503, "{}");
        } else if (path.equals("POST /api/v1/bundles")) {
            uploaded.add(BundleFiles.unzipped(new ByteArrayInputStream(body)));
            mediaTypes.add(exchange.getRequestHeaders().getFirst("Content-Type"));
            answer(exchange, 201, """
                    {"name":"ptx-bias-relu","family":"bundle:ptx-bias-relu@0123456789abcdef","hash":"abc","bytes":7}""");
        } else if (path.equals("POST /api/v1/jobs")) {
            submitted.add(Json.mapper().readTree(body));
            keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            answer(exchange, refusal.isEmpty() ? 202 : 422, refusal.isEmpty() ? job() : refusal);
        } else if (path.endsWith("/cancel")) {
            answer(exchange, 200, job());
        } else if (path.endsWith("/result")) {
            answer(exchange, 200, document().toString());
        } else if (path.startsWith("GET /api/v1/trials/")) {
            answer(
                    exchange,
                    200,
                    "{\"outcome\":\"noise\",\"log\":\"discarded: process 500 (python3) computed on the GPU too\\nmore\"}");
        } else if (path.endsWith("/events")) {
            stream(exchange);
        } else {
            answer(exchange, 404, "{}");
        }
    }

    /** The events behind the last that the client has; while there are drops left, one and no end. */
    private void stream(HttpExchange exchange) throws IOException {
        String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
        resumedBehind.add(String.valueOf(last));
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        int from = last == null ? 0 : Integer.parseInt(last);
        int to = drops > 0 ? from + 1 : events.size();
        drops--;
        StringBuilder text = new StringBuilder(": events of a job\n\n");
        for (int id = from + 1; id <= to; id++) {
            text.append("id: ")
                    .append(id)
                    .append('\n')
                    .append(events.get(id - 1))
                    .append("\n\n");
        }
        exchange.getResponseBody().write(text.toString().getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    /** The studies of all samples that are named, as those of one job. */
    private ObjectNode document() throws IOException {
        if (result.equals("busy.json")) {
            result = "cuda.json";
            ObjectNode busy = document();
            ((ObjectNode) busy.at("/studies/0/problem/scenario")).put("busySms", 16);
            return busy;
        }
        if (result.equals("noise.json")) {
            result = "cuda.json";
            ObjectNode noisy = document();
            ObjectNode study = (ObjectNode) noisy.at("/studies/0");
            study.putNull("best").put("noise", NOISE);
            study.putArray("neighbours").add("process 500 (python3) is on the GPU too and holds 682 MiB of its memory");
            return noisy;
        }
        if (result.equals("overlapped.json")) {
            result = "cuda.json";
            ObjectNode overlapped = document();
            ((ObjectNode) overlapped.at("/studies/0/problem"))
                    .putObject("scenario")
                    .put("launchOverlap", true);
            return overlapped;
        }
        ObjectNode whole = null;
        for (String sample : result.split("\\+")) {
            try (var in = TuneCommandTest.class.getResourceAsStream("/results/" + sample)) {
                ObjectNode read = (ObjectNode) Json.mapper().readTree(in.readAllBytes());
                if (whole == null) {
                    whole = read;
                } else {
                    ((ArrayNode) whole.get("studies")).addAll((ArrayNode) read.get("studies"));
                }
            }
        }
        return whole;
    }

    private String job() {
        ObjectNode job = Json.mapper().createObjectNode().put("id", JOB).put("state", "queued");
        offered.forEach(job.putArray("offered")::add);
        ArrayNode studies = job.putArray("studies");
        for (JsonNode problem : submitted.getLast().get("problems")) {
            ObjectNode study = studies.addObject().put("id", studies.size() == 1 ? STUDY : JOB);
            ObjectNode whole = study.putObject("problem");
            whole.put("m", 8192).put("n", 4096).put("k", 512).put("dtype", "bf16");
            whole.putObject("scenario").put("busySms", 0);
            if (problem.has("m")) {
                whole.set("m", problem.get("m"));
            }
        }
        return job.toString();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** A recording has its problems; one of its ten problems has a fifth of the time. */
    @Test
    void aRecordingIsTunedWhereItPays() {
        Path recording = Path.of("..", "..", "docs", "examples", "capture", "llama");
        assertThat(tune("--from", recording.toString(), "--least-share", "20"))
                .as(errors.toString())
                .isZero();

        assertThat(submitted).hasSize(1);
        assertThat(submitted.getFirst().get("problems").toString())
                .isEqualTo("[{\"m\":2048,\"n\":14336,\"k\":4096,\"dtype\":\"bf16\"}]");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("the recording has no GPU time", "1 of 10 problems are tuned", "no: less than");

        assertThat(tune("--from", recording.toString(), "--shape", "2048x1024x768"))
                .isEqualTo(2);
        assertThat(tune("--from", recording.toString(), "--dtype", "f16")).isEqualTo(2);
        assertThat(tune("--from", recording.toString(), "--least-share", "101")).isEqualTo(2);
        assertThat(tune("--shape", "2048x1024x768", "--least-share", "5")).isEqualTo(2);
        assertThat(submitted).hasSize(1);
        assertThat(errors.toString())
                .contains(
                        "--from: a recording has its own problems",
                        "--least-share: must be from 0 to 100, got 101.0",
                        "--least-share: is for a recording, --from DIR; got 5.0");
    }

    private int tune(String... options) {
        Map<String, String> environment = Map.of("TILEWRIGHT_HOME", directory.toString());
        List<String> arguments = new ArrayList<>(List.of(
                "tune", "--api", "http://127.0.0.1:" + server.getAddress().getPort()));
        arguments.addAll(List.of(options));
        CommandLine line = RootCommand.commandLine(
                environment,
                new TuneCommand(
                        environment,
                        () -> new DeviceProbe.Failing("must not be asked for a remote service"),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(notices, true, StandardCharsets.UTF_8)));
        line.setErr(new PrintWriter(errors, true));
        return line.execute(arguments.toArray(String[]::new));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static final String NOISE = "more than a fifth of the sustained blocks had to be discarded (process 500"
            + " (python3) computed on the GPU too); 0 blocks were undisturbed";

    @Test
    void besideAProcessThatComputesNothingIsBestAndTheExitCodeIs3() {
        result = "noise.json";
        String trial = "00000000-0000-4000-8000-000000000097";
        events = new ArrayList<>(EVENTS);
        events.add(
                2,
                "event: trial.finished\ndata: {\"studyId\":\"" + STUDY + "\",\"trialId\":\"" + trial
                        + "\",\"outcome\":\"noise\",\"finished\":1,\"completed\":0}");

        assertThat(tune("--shape", "2048x1024x768")).isEqualTo(3);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("noise: nothing is called best: " + NOISE)
                .contains("beside it: process 500 (python3) is on the GPU too and holds 682 MiB of its memory")
                .doesNotContain("again:", "the scheduler is worth");
        assertThat(notices.toString(StandardCharsets.UTF_8))
                .as("at once")
                .containsOnlyOnce("noise: a kernel could not be timed: process 500 (python3) computed on the GPU too");
        assertThat(paths).containsOnlyOnce("GET /api/v1/trials/" + trial);
    }

    @Test
    void submitsOnlyWhatWasSaid() {
        assertThat(tune("--shape", "2048x1024x768")).isZero();

        assertThat(submitted)
                .containsExactly(
                        Json.mapper()
                                .readTree(
                                        "{\"problems\":[{\"m\":2048,\"n\":1024,\"k\":768,\"dtype\":\"bf16\"}],\"device\":\"auto\",\"budget\":{}}"));
        assertThat(keys).singleElement().asString().matches("\"[0-9a-f-]{36}\"");
    }

    @Test
    void aDeviceThatNoWorkerOffersCancelsTheJobAndEndsAtOnce() {
        offered = List.of("emulated", "simulated:h200");
        assertThat(tune("--shape", "2048x1024x768", "--device", "simulated:b200"))
                .isEqualTo(4);
        assertThat(errors.toString())
                .contains(
                        "no worker offers simulated:b200; offered: emulated, simulated:h200; start a worker for it, or"
                                + " wait for one with --wait");
        assertThat(notices.toString(StandardCharsets.UTF_8)).contains("job " + JOB + " is cancelled");
        assertThat(paths).containsExactly("POST /api/v1/jobs", "POST /api/v1/jobs/" + JOB + "/cancel");
    }

    @Test
    void whoSaysWaitWaitsForAWorkerThatOffersTheDevice() {
        offered = List.of();
        assertThat(tune("--shape", "2048x1024x768", "--device", "simulated:b200", "--wait"))
                .isZero();
        assertThat(paths).noneMatch(path -> path.endsWith("/cancel"));
    }

    @Test
    void aBundleIsUploadedAndItsVersionTunedForItsTypesAndLayouts() throws IOException {
        Path example = Path.of("../../docs/examples/bundles/ptx-bias-relu");
        assertThat(tune("--bundle", example.toString(), "--shape", "2048x1024x768"))
                .as(errors.toString())
                .isZero();

        assertThat(uploaded).containsExactly(BundleFiles.read(example));
        assertThat(mediaTypes).containsExactly("application/zip");
        assertThat(submitted.getFirst().get("family").asString()).isEqualTo("bundle:ptx-bias-relu@0123456789abcdef");
        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                        [{"m":2048,"n":1024,"k":768,"dtype":"f32","major":{"a":"k","b":"n","d":"n"}}]"""));
        assertThat(notices.toString(StandardCharsets.UTF_8)).contains("tuning bundle:ptx-bias-relu@0123456789abcdef");
    }

    @Test
    void peersAreFamiliesOrBundlesThatAreUploadedFirst() throws IOException {
        Path example = Path.of("../../docs/examples/bundles/ptx-bias-relu");
        assertThat(tune(
                        "--shape",
                        "2048x1024x768",
                        "--family",
                        "sm90-gemm",
                        "--peer",
                        "bundle:triton,bundle:hand@0123456789abcdef",
                        "--peer",
                        example.toString()))
                .as(errors.toString())
                .isZero();

        assertThat(uploaded).containsExactly(BundleFiles.read(example));
        assertThat(submitted.getFirst().get("peers").valueStream().map(JsonNode::asString))
                .containsExactly(
                        "bundle:triton", "bundle:hand@0123456789abcdef", "bundle:ptx-bias-relu@0123456789abcdef");
        assertThat(notices.toString(StandardCharsets.UTF_8)).contains("beside bundle:ptx-bias-relu@0123456789abcdef");
    }

    @Test
    void aPeerThatIsRefusedIsNamedByItsOption() {
        refusal = """
                {"type":"urn:x","title":"Invalid","status":422,"detail":"/peers/1: x is named twice","errors":[
                {"pointer":"/peers/1","detail":"x is named twice"}]}""";
        assertThat(tune("--shape", "2048x1024x768", "--peer", "x,x")).isEqualTo(2);
        assertThat(errors.toString()).contains("--peer: x is named twice");
        assertThat(tune("--shape", "2048x1024x768", "--peer", "./nowhere")).isEqualTo(2);
        assertThat(errors.toString()).contains("nowhere: there is no such folder or zip");
    }

    @Test
    void aBundleIsPushedWithoutAJob() throws IOException {
        Path example = Path.of("../../docs/examples/bundles/ptx-bias-relu");
        PrintStream said = new PrintStream(out, true, StandardCharsets.UTF_8);
        BundlePushCommand push = new BundlePushCommand(
                Map.of("TILEWRIGHT_HOME", directory.toString()),
                () -> new DeviceProbe.Failing("must not be asked for a remote service"),
                said,
                said);
        assertThat(new CommandLine(push)
                        .execute(
                                "--api",
                                "http://127.0.0.1:" + server.getAddress().getPort(),
                                example.toString()))
                .isZero();
        assertThat(uploaded).containsExactly(BundleFiles.read(example));
        assertThat(out.toString(StandardCharsets.UTF_8).strip())
                .isEqualTo("bundle:ptx-bias-relu@0123456789abcdef: 7 bytes, sha256 abc");
        assertThat(submitted).isEmpty();
    }

    @Test
    void whatIsNoBundleIsNotSent() throws IOException {
        Files.writeString(directory.resolve("kernel.yaml"), "name: Theirs\n");
        assertThat(tune("--bundle", directory.toString(), "--shape", "2048x1024x768"))
                .isEqualTo(2);
        assertThat(errors.toString()).contains(directory + ": kernel.yaml:1:").contains("Theirs");
        assertThat(tune("--bundle", "nowhere", "--shape", "2048x1024x768")).isEqualTo(2);
        assertThat(errors.toString()).contains("nowhere: there is no such folder or zip");
        assertThat(tune("--bundle", ".", "--family", "sm90-gemm", "--shape", "2048x1024x768"))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("--bundle and --family name two families: give one of them");
        assertThat(paths).isEmpty();
    }

    @Test
    void submitsGroupsOfTypesAndLayoutsBesideHeldSms() {
        assertThat(tune(
                        "--shape",
                        "1024x1024x512+1024x1024x4096",
                        "--types",
                        "f16,f16,f32",
                        "--major",
                        "m,k",
                        "--busy-sms",
                        "0,16"))
                .isZero();

        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                        [{"groups":[{"m":1024,"n":1024,"k":512},{"m":1024,"n":1024,"k":4096}],
                          "types":{"a":"f16","b":"f16","d":"f32"},"major":{"a":"m","b":"k","d":"n"}},
                         {"groups":[{"m":1024,"n":1024,"k":512},{"m":1024,"n":1024,"k":4096}],
                          "types":{"a":"f16","b":"f16","d":"f32"},"major":{"a":"m","b":"k","d":"n"},
                          "scenario":{"busySms":16}}]"""));
    }

    @Test
    void submitsGroupsAndBatches() {
        assertThat(tune(
                        "--shape",
                        "2048x1024x768",
                        "--shape",
                        "1024x1024x512+1024x1024x4096",
                        "--group",
                        "1000x200x64",
                        "--group",
                        "64x200x1000",
                        "--batch",
                        "3"))
                .isZero();

        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                        [{"m":2048,"n":1024,"k":768,"batch":3,"dtype":"bf16"},
                         {"groups":[{"m":1024,"n":1024,"k":512},{"m":1024,"n":1024,"k":4096}],"batch":3,"dtype":"bf16"},
                         {"groups":[{"m":1000,"n":200,"k":64},{"m":64,"n":200,"k":1000}],"batch":3,"dtype":"bf16"}]"""));
    }

    @Test
    void submitsAllThatWasSaid() {
        assertThat(tune(Stream.of(
                                "--shape 64x128x256 --shape 5000x5000x5056 --scheduler static,atomic --set tileN=128,256",
                                "--set rasterOrder=groupedM --trials 7 --seconds 9 --seed 11 --strategy exhaustive",
                                "--family sm90-gemm --device cuda:1 --check --name night")
                        .flatMap(part -> Stream.of(part.split(" ")))
                        .toArray(String[]::new)))
                .isZero();

        assertThat(submitted).containsExactly(Json.mapper().readTree("""
                {"name":"night","problems":[{"m":64,"n":128,"k":256,"dtype":"bf16"},{"m":5000,"n":5000,"k":5056,
                "dtype":"bf16"}],"family":"sm90-gemm","schedulers":["static","atomic"],"parameters":{"tileN":[128,256],
                "rasterOrder":["groupedM"]},"strategy":"exhaustive","budget":{"trials":7,"seconds":9},"seed":11,
                "device":"cuda:1","check":true}"""));
    }

    /** The service reads it, since it knows the space of each problem; its family is the job's. */
    @Test
    void submitsTheOneConfig() {
        assertThat(tune("--shape", "64x128x256", "--config", "sm100-gemm clc 128x64x64 s4 alongM"))
                .isZero();

        assertThat(submitted.getFirst().get("family").asString()).isEqualTo("sm100-gemm");
        assertThat(submitted.getFirst().get("config").asString()).isEqualTo("sm100-gemm clc 128x64x64 s4 alongM");
    }

    @Test
    void eachNumberOfBusySmsIsAStudyOfEachShape() {
        assertThat(tune("--shape", "64x128x256", "--shape", "712x648x392", "--busy-sms", "0,16"))
                .isZero();

        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                [{"m":64,"n":128,"k":256,"dtype":"bf16"},
                {"m":64,"n":128,"k":256,"dtype":"bf16","scenario":{"busySms":16}},
                {"m":712,"n":648,"k":392,"dtype":"bf16"},
                {"m":712,"n":648,"k":392,"dtype":"bf16","scenario":{"busySms":16}}]"""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1-64x128x256 | --regret | 0 | --regret: from 1 to 256 drawn M, got 0",
                "1-64x128x256 | --regret | 257 | --regret: from 1 to 256 drawn M, got 257",
                "64x128x256 | --regret | 4 | --regret: is for a range of M, such as --shape 1-4096x1024x768, and none",
                "1-64x128x256 | --kernels | 0 | --kernels: must be from 1 to 32 kernels, got 0",
                "1-64x128x256 | --kernels | 33 | --kernels: must be from 1 to 32 kernels, got 33",
                "64x128x256 | --kernels | 4 | --kernels: is for a range of M, such as --shape 1-4096x1024x768, and none",
            })
    void refusesNumbersThatARangeOrNoRangeCannotHave(String shape, String option, String count, String reason) {
        assertThat(tune("--shape", shape, option, count)).isEqualTo(2);
        assertThat(errors.toString()).contains(reason);
        assertThat(submitted).isEmpty();
    }

    @Test
    void launchesThatOverlapAreAnotherScenario() {
        assertThat(tune("--shape", "64x128x256", "--busy-sms", "0,16", "--launch-overlap"))
                .isZero();

        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                [{"m":64,"n":128,"k":256,"dtype":"bf16","scenario":{"busySms":0,"launchOverlap":true}},
                {"m":64,"n":128,"k":256,"dtype":"bf16","scenario":{"busySms":16,"launchOverlap":true}}]"""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "cuda:0 | -1 | --busy-sms: must be numbers such as 0,8,20, or FROM-TO/STEP such as 0-32/4, got '-1'",
                "simulated:h200 | 8,132 | --busy-sms: must be at most 131, one less than the 132 SMs of the device,"
                        + " got 132",
                "emulated | 4 | --busy-sms: must be at most 3, one less than the 4 SMs of the device, got 4",
                "cuda:0 | 16,8,16 | --busy-sms: lists a number twice: [16, 8, 16]",
                "cuda:0 | many | --busy-sms: must be numbers such as 0,8,20, or FROM-TO/STEP such as 0-32/4, got 'many'",
                "cuda:0 | 8-2 | --busy-sms: a range goes up in steps of 1 at the least, got '8-2'",
                "cuda:0 | 0-8/0 | --busy-sms: a range goes up in steps of 1 at the least, got '0-8/0'",
                "cuda:0 | 0-99999 | --busy-sms: must be at most 64 numbers, got '0-99999'",
                "simulated:h200 | 100-140/8 | --busy-sms: must be at most 131, one less than the 132 SMs",
            })
    void refusesNumbersOfBusySms(String device, String given, String reason) {
        assertThat(tune("--shape", "64x128x256", "--device", device, "--busy-sms=" + given))
                .isEqualTo(2);

        assertThat(errors.toString()).contains(reason);
        assertThat(submitted).isEmpty();
    }

    @Test
    void printsBesideWhatAProblemWasComputed() throws IOException {
        result = "busy.json";
        Path report = directory.resolve("report.md");

        assertThat(tune("--shape", "8192x4096x512", "--busy-sms", "16", "--markdown", report.toString()))
                .isZero();

        assertThat(printed()).contains("8192x4096x512 bf16, 16 SMs held, sm90-gemm on NVIDIA H200");
        assertThat(report).content().contains("| 8192x4096x512 bf16, 16 SMs held |");
    }

    @Test
    void printsThatLaunchesOverlap() throws IOException {
        result = "overlapped.json";
        Path report = directory.resolve("report.md");

        assertThat(tune("--shape", "8192x4096x512", "--launch-overlap", "--markdown", report.toString()))
                .isZero();

        assertThat(printed()).contains("8192x4096x512 bf16, launches overlap, sm90-gemm on NVIDIA H200");
        assertThat(report).content().contains("| 8192x4096x512 bf16, launches overlap |");
    }

    @Test
    void submitsTypesAndLayouts() {
        assertThat(tune("--shape", "64x128x256", "--types", "bf16,bf16,f32", "--major", "m,n"))
                .isZero();

        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                [{"m":64,"n":128,"k":256,"types":{"a":"bf16","b":"bf16","d":"f32"},"major":{"a":"m","b":"n","d":"n"}}]"""));
    }

    @Test
    void aProofWithoutATimeIsAResult() throws IOException {
        result = "emulated.json";
        Path report = directory.resolve("report.md");

        assertThat(tune("--shape", "712x648x392", "--device", "emulated:4", "--markdown", report.toString()))
                .isZero();

        assertThat(submitted.getFirst().get("device").asString()).isEqualTo("emulated");
        assertThat(printed())
                .contains("*** EMULATED: proved on the CPU, no times ***")
                .contains("#4: refuted by seed 2: premature read")
                .contains("numbers: emulated: proofs on 4 SMs");
        assertThat(report).content().contains("# Tuned GEMMs (emulated)").doesNotContain("TFLOP/s");
    }

    @Test
    void printsTheLeaderboardAndWhereItComesFrom() throws IOException {
        Path file = directory.resolve("result.json");

        assertThat(tune("--shape", "8192x4096x512", "--json", file.toString())).isZero();

        assertThat(printed())
                .contains("8192x4096x512 bf16, sm90-gemm on NVIDIA H200")
                .contains("50.0    687.2  1594    69.4 %  [679.0, 694.1]   1.013 [1.006, 1.020]  final")
                .contains("numbers: measured on NVIDIA H200 (driver 580.95.05, 132 SMs, ptxas 13.0.88); data: job "
                        + JOB + " at the service, result in " + file);
        try (var in = TuneCommandTest.class.getResourceAsStream("/results/cuda.json")) {
            assertThat(Json.mapper().readTree(Files.readAllBytes(file)))
                    .isEqualTo(Json.mapper().readTree(in.readAllBytes()));
        }
        assertThat(notices.toString(StandardCharsets.UTF_8))
                .contains("5/5 trials, screen 50.0 us (687.2 TFLOP/s), 3 failed");
    }

    @Test
    void marksSimulatedNumbers() {
        result = "simulated.json";

        assertThat(tune("--shape", "2048x1024x768", "--shape", "64x64x64")).isZero();

        assertThat(printed())
                .contains("*** SIMULATED", "numbers: simulated: predictions of the model h200 constants-1");
    }

    @Test
    void printsALeaderboardForEachStudyWhereItIsAskedFor() {
        result = "cuda.json+simulated.json";

        assertThat(tune("--shape", "8192x4096x512", "--shape", "2048x1024x768", "--shape", "64x64x64", "--boards"))
                .isZero();

        assertThat(printed().lines().filter(line -> line.matches("\\d+x\\d+x\\d+ bf16, .*")))
                .containsExactly(
                        "8192x4096x512 bf16, sm90-gemm on NVIDIA H200 (driver 580.95.05, 132 SMs, ptxas 13.0.88)",
                        "2048x1024x768 bf16, sm90-gemm on simulated h200 (constants-1, 132 SMs, ptxas 13.0.88)",
                        "64x64x64 bf16, no testbed");
        assertThat(printed().lines().filter(line -> line.startsWith("best: "))).hasSize(2);
        assertThat(printed())
                .contains("numbers: measured on NVIDIA H200", "; simulated: predictions of the model h200");
    }

    @Test
    void writesTheReport() throws IOException {
        Path file = directory.resolve("report.md");

        assertThat(tune("--shape", "8192x4096x512", "--markdown", file.toString()))
                .isZero();

        assertThat(file)
                .content()
                .startsWith("# Tuned GEMMs, 2026-11-21T10:00:41Z\n")
                .contains("job " + JOB);
        assertThat(printed()).contains("at the service, report in " + file);
    }

    @Test
    void exitsWith1WhenNothingCompleted() throws IOException {
        result = "nothing-completed.json";

        assertThat(tune("--shape", "2048x1024x768")).isEqualTo(1);

        assertThat(printed()).contains("error: no config keeps every rule", "no device took the study");
    }

    @Test
    void showsEveryFaultThatTheApiFound() {
        refusal = """
                {"type":"urn:x","title":"Invalid","status":422,"detail":"the search space is empty","errors":[
                {"pointer":"/parameters","detail":"rule clusterSize takes away 3 of 4 configs"},
                {"pointer":"/parameters","detail":"rule sharedMemory takes away 1 of 4 configs"}]}""";

        assertThat(tune("--shape", "2048x1024x768")).isEqualTo(2);

        assertThat(errors.toString().lines())
                .containsExactly(
                        "tilewright tune: the search space is empty",
                        "  --set: rule clusterSize takes away 3 of 4 configs",
                        "  --set: rule sharedMemory takes away 1 of 4 configs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/problems/1 | k = 770 is odd | --shape 64x64x770: k = 770 is odd",
                "/problems/0/scenario/busySms | must be at most 131 | --shape 64x128x256 --busy-sms: must be at most 131",
                "/parameters/tile_m | family f has no parameter 'tile_m'; known: tileM, tileN | --set tile_m: family f has"
                        + " no parameter 'tile_m'; known: tileM, tileN; did you mean tileM?",
                "/parameters/tileM/0 | has no value 3 | --set tileM: has no value 3",
                "/config | 's' is no part of a config | --config: 's' is no part of a config",
                "/schedulers/0 | has no value clc | --scheduler: has no value clc",
                "/budget/trials | must be at most 9 | --trials: must be at most 9",
                "/space | must be one of [default, full], got 'fulll'"
                        + " | --space: must be one of [default, full], got 'fulll'; did you mean full?",
            })
    void wordsAFaultAsTheCommandLineDoes(String pointer, String detail, String line) {
        ObjectNode problem = Json.mapper().createObjectNode().put("status", 422);
        problem.put("detail", pointer + ": " + detail)
                .putArray("errors")
                .addObject()
                .put("pointer", pointer)
                .put("detail", detail);
        refusal = problem.toString();

        assertThat(tune("--shape", "64x128x256", "--shape", "64x64x770")).isEqualTo(2);

        assertThat(errors.toString().lines()).containsExactly("tilewright tune: " + line);
    }

    @Test
    void resumesAStreamOfEventsBehindTheLastOne() {
        drops = 3;

        assertThat(tune("--shape", "8192x4096x512")).isZero();

        assertThat(resumedBehind).containsExactly("null", "1", "2", "3");
        assertThat(paths).noneMatch(path -> path.equals("GET /api/v1/jobs/" + JOB));
        assertThat(notices.toString(StandardCharsets.UTF_8)).contains("5/5 trials, screen 50.0 us");
    }

    @Test
    void tunesTheShapesOfAFile() throws IOException {
        result = "cuda.json+simulated.json";
        Path file = directory.resolve("shapes.csv");
        Files.writeString(
                file,
                "name,m,n,k,types,weight\nqkv,8192,4096,512,,3\ndecode,1,1024,768,\"e4m3,e5m2,f16\",0.5\n"
                        + "small,64,64,64,f16,\n");

        assertThat(tune("--shapes", file.toString(), "--batch", "2")).isZero();

        assertThat(submitted.getFirst().get("problems")).isEqualTo(Json.mapper().readTree("""
                        [{"m":8192,"n":4096,"k":512,"batch":2,"dtype":"bf16"},
                         {"m":1,"n":1024,"k":768,"batch":2,"types":{"a":"e4m3","b":"e5m2","d":"f16"}},
                         {"m":64,"n":64,"k":64,"batch":2,"dtype":"f16"}]"""));
        assertThat(printed())
                .contains("name", "qkv", "decode", "small", "weighted total", "(--boards shows")
                .doesNotContain("\nbest: ");
    }

    @Test
    void goesOnWhenTheServiceIsAwayForAWhile() {
        outages = 2;

        assertThat(tune("--shape", "2048x1024x768")).isZero();

        assertThat(submitted).hasSize(1);
        assertThat(paths).contains("GET /api/v1/jobs/" + JOB + "/result");
    }
}
