package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code refresh --api} against an API that knows two best configs; {@code RefreshIT} has a real one. */
@Timeout(60)
class RefreshCommandTest {

    private static final String TESTBED =
            "{\"kind\":\"cuda\",\"device\":\"NVIDIA H200\",\"driver\":\"%s\",\"assembler\":\"ptxas 13\",\"smCount\":132,"
                    + "\"clockPolicy\":\"factory\"}";
    private static final String ID = "0a52fb09-8df0-4a77-a1a7-2e12f3a4b5c%d";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final List<JsonNode> jobs = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private String best = items(item(512, 1, "null", "1.25"), item(1024, 2, "\"another driver\"", "1.25"));
    private String worker =
            "{\"state\":\"live\",\"devices\":[{\"label\":\"cuda:3\",\"testbed\":" + TESTBED.formatted("590") + "}]}";
    private String study = study("590", "{\"medianNs\":50500.0}", "1.24");
    private int status = 202;

    private static String items(String... all) {
        return "{\"items\":[" + String.join(",", all) + "]}";
    }

    private static String item(int m, int id, String stale, String ratio) {
        String trial = ID.formatted(id);
        return """
                {"problem":{"m":%d,"n":640,"k":256,"dtype":"bf16"},"family":"sm90-gemm","testbed":%s,
                "config":{"tileM":128},"tflops":100.0,"medianNs":50000.0,"equivalent":[{"trialId":"%s","config":{"tileM":128}}],
                "ratioToDefault":%s,"trialId":"%s","stale":%s}""".formatted(m, TESTBED.formatted("580"), trial, ratio, trial, stale);
    }

    private static String study(String driver, String best, String ratio) {
        return "{\"testbed\":%s,\"best\":%s,\"ratioToDefault\":%s,\"error\":null}"
                .formatted(TESTBED.formatted(driver), best, ratio);
    }

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1", exchange -> {
            try (exchange) {
                String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
                said.add(line);
                byte[] asked = exchange.getRequestBody().readAllBytes();
                boolean submits = line.equals("POST /api/v1/jobs");
                if (submits) {
                    jobs.add(Json.mapper().readTree(asked));
                }
                boolean refused = submits && status == 422 && jobs.size() == 1;
                String answer = refused
                        ? "{\"status\":422,\"detail\":\"tileM has no value 128\"}"
                        : line.startsWith("GET /api/v1/best")
                                ? best
                                : line.equals("GET /api/v1/workers")
                                        ? "[" + worker + "]"
                                        : line.startsWith("GET /api/v1/studies/")
                                                ? study
                                                : line.startsWith("GET /api/v1/jobs/")
                                                        ? "{\"state\":\"finished\"}"
                                                        : "{\"id\":\"" + ID.formatted(7) + "\",\"studies\":[{\"id\":\""
                                                                + ID.formatted(8)
                                                                + "\",\"problem\":{\"m\":1,\"n\":8,\"k\":8}}]}";
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders()
                        .add("Content-Type", refused ? "application/problem+json" : "application/json");
                exchange.sendResponseHeaders(refused ? 422 : submits ? 202 : 200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private int refresh(String... more) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        String[] arguments = Stream.concat(Stream.of("refresh", "--api", url), Stream.of(more))
                .toArray(String[]::new);
        return RootCommand.commandLine(
                        Map.of(), new RefreshCommand(Map.of(), DeviceProbe.NoDriver::new, stream, stream))
                .setErr(new PrintWriter(stream, true))
                .execute(arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsStaleIsTimedByAJobOfItsConfigAlone() {
        assertThat(refresh("--testbed", "H200")).as(printed()).isZero();
        assertThat(said).contains("GET /api/v1/best?testbed=H200");
        assertThat(jobs).hasSize(1);
        JsonNode job = jobs.getFirst();
        assertThat(job.at("/problems/0/m").asInt()).isEqualTo(1024);
        assertThat(job.at("/parameters/tileM/0").asInt()).isEqualTo(128);
        assertThat(job.at("/budget").toString()).isEqualTo("{\"trials\":1,\"finalists\":1}");
        assertThat(job.get("device").asString()).isEqualTo("cuda:3");
        assertThat(printed())
                .contains("1 of 1: 1024x640x256 bf16, sm90-gemm on NVIDIA H200: another driver")
                .contains("50.00   50.50              1.250  1.240  0.8 %  kept");
    }

    @Test
    void whatLostMoreThanAPercentIsTunedAgain() {
        study = study("590", "{\"medianNs\":50000.0}", "1.2");
        assertThat(refresh("--shape", "1024x640x256", "--family", "sm90-gemm")).isZero();
        assertThat(said).contains("GET /api/v1/best?shape=1024x640x256&dtype=bf16&family=sm90-gemm");
        assertThat(jobs).hasSize(2);
        assertThat(jobs.getLast().has("parameters")).isFalse();
        assertThat(printed()).contains("tune again: 4.0 % of its speed is lost", "tunes 1024x640x256 bf16 again");
    }

    @Test
    void aGroupedProblemIsAskedForAsOneAndTimedAsOne() {
        best = items(
                item(1024, 2, "\"another driver\"", "1.25")
                        .replace(
                                "{\"m\":1024,\"n\":640,\"k\":256,\"dtype\":\"bf16\"}",
                                "{\"groups\":[{\"m\":1024,\"n\":640,\"k\":256},{\"m\":72,\"n\":640,\"k\":256}],\"dtype\":\"bf16\"}"));
        assertThat(refresh("--group", "1024x640x256", "--group", "72x640x256"))
                .as(printed())
                .isZero();
        assertThat(said)
                .anyMatch(line -> line.startsWith("GET /api/v1/best?shape=1024x640x256%2B72x640x256&types=bf16"));
        assertThat(jobs).hasSize(1);
        assertThat(jobs.getFirst().at("/problems/0/groups/1/m").asInt()).isEqualTo(72);
        assertThat(printed()).contains("kept");
    }

    @Test
    void withoutTheDefaultKernelItIsTheTimeThatIsCompared() {
        best = items(item(1024, 2, "\"another driver\"", "null"));
        study = study("590", "{\"medianNs\":51000.0}", "null");
        assertThat(refresh()).isZero();
        assertThat(printed()).contains("2.0 % of its speed (other runs, so other clocks) is lost");
    }

    @Test
    void aConfigThatIsRefusedOrNoLongerRunsIsTunedAgain() {
        status = 422;
        assertThat(refresh()).as(printed()).isZero();
        assertThat(jobs).hasSize(2);
        assertThat(printed()).contains("tune again: it is refused today: tileM has no value 128");
        status = 202;
        study = "{\"testbed\":" + TESTBED.formatted("590") + ",\"best\":null,\"error\":\"all ended mismatch\"}";
        assertThat(refresh()).isZero();
        assertThat(printed()).contains("tune again: it has no final on driver 590: all ended mismatch");
    }

    @Test
    void allAreTimedOnDemandAndAModelThatNobodyHasIsNotDecided() {
        assertThat(refresh("--all")).isZero();
        assertThat(jobs).hasSize(2);
        worker = worker.replace("NVIDIA H200", "NVIDIA H100");
        assertThat(refresh()).isEqualTo(3);
        assertThat(printed()).contains("not decided: no worker offers NVIDIA H200");
    }

    @Test
    void aFreshOneBesideItSupersedesIt() {
        best = items(item(1024, 1, "null", "1.25"), item(1024, 2, "\"another driver\"", "1.25"));
        assertThat(refresh()).isZero();
        assertThat(jobs).isEmpty();
        assertThat(printed()).contains("2 best configs are known, and none is stale; --all times them all the same");
        best = items();
        assertThat(refresh()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--types f16,f16,f32 | 2 | --types: is of a problem; name its --shape too",
                "--device simulated:h200 | 2 | --device: kernels are timed, so it is auto or cuda:N",
                "--shape 12x | 2 | --shape: a shape is MxNxK",
                "--device cuda:0 | 4 | --device: no worker offers cuda:0, and configs are timed"
            })
    void whatCannotBeAskedIsSaid(String arguments, int exit, String message) {
        assertThat(refresh(arguments.split(" "))).isEqualTo(exit);
        assertThat(printed()).contains(message);
        assertThat(jobs).isEmpty();
    }
}
