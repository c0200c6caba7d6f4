package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code gate qualify --api} against an API whose GPU makes a slowed twin as slow as it was asked to. */
@Timeout(60)
class GateQualifyCommandTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<JsonNode> asked = new ArrayList<>();
    private final Map<String, JsonNode> comparisons = new ConcurrentHashMap<>();
    private HttpServer server;
    private boolean isSlow;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/comparisons", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                if (path.endsWith("/cancel")) {
                    comparisons.remove(path.split("/")[4]);
                    answer(exchange, 200, document(path.split("/")[4], "cancelled", "null"));
                } else if (exchange.getRequestMethod().equals("POST")) {
                    JsonNode request =
                            Json.mapper().readTree(exchange.getRequestBody().readAllBytes());
                    String id = UUID.randomUUID().toString();
                    asked.add(request);
                    comparisons.put(id, request);
                    answer(exchange, 202, document(id, "queued", "null"));
                } else {
                    String id = path.split("/")[4];
                    JsonNode request = comparisons.get(id);
                    answer(
                            exchange,
                            200,
                            request == null
                                    ? document(id, "cancelled", "null")
                                    : isSlow
                                            ? document(id, "queued", "null")
                                            : document(id, "finished", result(request)));
                }
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String document(String id, String state, String result) {
        return """
                {"id":"%s","state":"%s","problem":{"m":512,"n":256,"k":128},
                "first":{"type":"own","family":"sm90-gemm","config":{"tileM":128}},
                "second":{"type":"own","family":"sm90-gemm","config":{"tileM":128}},
                "testbed":{"kind":"cuda","device":"NVIDIA H100","driver":"580","assembler":"ptxas 13",
                "smCount":132,"clockPolicy":"factory"},"result":%s,"error":null}""".formatted(id, state, result);
    }

    private static String result(JsonNode request) {
        double slower = 1 + request.path("first").path("slowedBy").asDouble(0);
        int count = request.get("blocks").asInt();
        String blocks = IntStream.range(0, count)
                .mapToObj(i ->
                        block(i, "first", slower * (10_000 + 20 * (i % 3 - 1))) + "," + block(i, "second", 10_000))
                .collect(Collectors.joining(","));
        String slowed = slower > 1 ? "{\"steps\":300,\"longer\":null}" : "null";
        return """
                {"type":"compared","verdict":"same","ratio":null,
                "first":{"name":"first","outcome":"completed","log":"","slowed":%s},
                "second":{"name":"second","outcome":"completed","log":""},
                "blocks":[%s],"discards":[],"doubts":[],"gpu":"GPU-7","gpuSeconds":0.8,"log":""}""".formatted(slowed, blocks);
    }

    private static String block(int index, String arm, double ns) {
        int position = (index % 4 == 0 || index % 4 == 3) == arm.equals("first") ? 0 : 1;
        return """
                {"stage":"final","question":"same_clock","mode":"sustained","index":%d,"position":%d,"arm":"%s",
                "launchNs":%s,"smClockMhz":1700.0,"throttleReasons":0}""".formatted(index, position, arm, ns);
    }

    private int qualify(String... arguments) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        String[] all = Stream.concat(
                        Stream.of(
                                "qualify",
                                "--api",
                                "http://127.0.0.1:" + server.getAddress().getPort()),
                        Stream.of(arguments))
                .toArray(String[]::new);
        return RootCommand.commandLine(
                        Map.of(), new GateQualifyCommand(Map.of(), DeviceProbe.NoDriver::new, stream, stream))
                .setErr(new PrintWriter(stream, true))
                .execute(all);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private int measured() {
        return qualify(
                "tileM=128",
                "--shape",
                "512x256x128",
                "--equal",
                "12",
                "--slowed",
                "2,1",
                "--runs",
                "4",
                "--truth",
                "200",
                "--to",
                folder.toString());
    }

    @Test
    void measuresEqualKernelsTwinsAndTruths() throws IOException {
        assertThat(measured()).as(said()).isZero();
        assertThat(asked).hasSize(12 + 2 * (1 + 4 + 1));
        assertThat(asked.getFirst().get("measureEqual").asBoolean()).isTrue();
        assertThat(asked.getFirst().get("blocks").asInt()).isEqualTo(40);
        assertThat(asked.get(12).get("first").has("waitSteps"))
                .as("it is looked for once")
                .isFalse();
        assertThat(asked.get(13).get("first").get("waitSteps").asInt()).isEqualTo(300);
        assertThat(asked.getLast().get("blocks").asInt()).isEqualTo(200);
        assertThat(asked.getLast().get("freshProcess").asBoolean()).isTrue();
        assertThat(Files.readAllLines(folder.resolve("blocks.jsonl"))).hasSize(12 + 2 * (4 + 1));
        String page = Files.readString(folder.resolve("qualification.md"));
        assertThat(page)
                .contains("| 512x256x128 | 12 | 0 | 0 | 0 | 0 (0.00 %) | 22.09 % |")
                .contains("| 512x256x128 | 2 % | 4 | 4 (100.00 %) | 47.29 % |")
                .contains("| 512x256x128 | 1 % | 4 |")
                .contains("| GPU-7 | NVIDIA H100 | 580 |");
        assertThat(said()).contains("qualification.md from 22 runs");
    }

    @Test
    void writesThePageFromBlocksOfSeveralDays() throws IOException {
        measured();
        Path day = Files.copy(folder.resolve("blocks.jsonl"), folder.resolve("another.jsonl"));
        Path to = folder.resolve("all");
        asked.clear();
        assertThat(qualify("--from", folder.resolve("blocks.jsonl").toString(), day.toString(), "--to", to.toString()))
                .as(said())
                .isZero();
        assertThat(asked).isEmpty();
        assertThat(Files.readString(to.resolve("qualification.md"))).contains("| 512x256x128 | 24 | 0 | 0 |");
        Files.writeString(day, "{\"problem\":7\n");
        assertThat(qualify("--from", day.toString(), "--to", to.toString())).isEqualTo(2);
        assertThat(said()).contains("another.jsonl:1: is no run of a qualification");
    }

    @Test
    void afterItsBudgetItDropsWhatWaits() throws IOException {
        isSlow = true;
        assertThat(qualify(
                        "tileM=128",
                        "--shape",
                        "512x256x128",
                        "--equal",
                        "50",
                        "--budget",
                        "1",
                        "--to",
                        folder.toString()))
                .isEqualTo(4);
        assertThat(said()).contains("no case was timed");
        assertThat(comparisons).isEmpty();
        assertThat(asked).hasSize(16);
    }

    @Test
    void aCalibrationEndsWithItsBudget() throws IOException {
        isSlow = true;
        assertThat(qualify(
                        "tileM=128",
                        "--shape",
                        "512x256x128",
                        "--slowed",
                        "2",
                        "--budget",
                        "1",
                        "--to",
                        folder.toString()))
                .isEqualTo(4);
        assertThat(asked).hasSize(1);
        assertThat(comparisons).isEmpty();
        assertThat(said()).contains(" is cancelled", "no case was timed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileM=128 --shape 512x256x128 --equal 3 | --to: is missing",
                "--shape 512x256x128 --equal 3 --to here | KERNEL: is missing",
                "tileM=128 --shape 512x256x128 --to here | --equal: nothing is asked for without --equal N or --slowed",
                "tileM=128 --shape 512x256x128 --slowed 80 --to here | --slowed: must be above 0 and at most 50.0 percent",
                "tileM=128 --equal 3 --to here | --shape: is missing",
                "tileM=128 --shape 512x256x128 --slowed 1 --truth 1 --to here | --truth: looks are at 2 to 10000 blocks, each at least a quarter more than the one before, got [1]",
                "tileM=128 --shape 512x256x128 --slowed 1 --truth 10001 --to here | got [10001]",
                "--from none.jsonl --to /dev/null/x | --to: cannot write into /dev/null/x",
                "--from none.jsonl --to here | no such file"
            })
    void whatCannotBeAskedIsSaid(String arguments, String said) {
        String[] words = arguments.replace("here", folder.toString()).split(" ");
        assertThat(qualify(words)).isEqualTo(2);
        assertThat(said()).contains(said);
    }
}
