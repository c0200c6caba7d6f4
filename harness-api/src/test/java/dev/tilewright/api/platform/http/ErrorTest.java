package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class ErrorTest {

    private static final String ID = "00000000-0000-4000-8000-000000000001";

    @ParameterizedTest
    @CsvSource({
        "GET, /nope, 404",
        "GET, /api/v1/nope, 404",
        "GET, /error, 404",
        "GET, /actuator/env, 404",
        "GET, /api/v1/jobs/" + ID + ", 404",
        "GET, /api/v1/jobs/" + ID + "/result, 404",
        "GET, /api/v1/jobs/" + ID + "/events, 404",
        "POST, /api/v1/jobs/" + ID + "/cancel, 404",
        "GET, /api/v1/studies/" + ID + ", 404",
        "GET, /api/v1/studies/" + ID + "/trials, 404",
        "GET, /api/v1/trials/" + ID + ", 404",
        "GET, /api/v1/jobs/4711, 400",
        "GET, /api/v1/jobs?limit=0, 400",
        "GET, /api/v1/jobs?limit=many, 400",
        "GET, /api/v1/jobs?cursor=x, 400",
        "GET, /api/v1/best?shape=12x, 400",
        "GET, /api/v1/best?dtype=bf17, 400",
        "DELETE, /api/v1/jobs, 405",
        "PUT, /api/v1/best, 405"
    })
    void everyErrorIsAProblemDocument(String method, String path, int status, Api api) {
        api.send(api.request(path).method(method, HttpRequest.BodyPublishers.noBody()))
                .problem(status);
    }

    @Test
    void aPathThatLeadsNowhereIsSaidInPlainWords(Api api) {
        JsonNode problem = api.get("/api/v1/nope").problem(404);
        assertThat(problem.get("title").asString()).isEqualTo("There is no such thing");
        assertThat(problem.get("detail").asString()).isEqualTo("there is nothing at GET /api/v1/nope");
    }

    @Test
    void whatCannotBeAnsweredOrReadIsSaid(Api api) {
        Api.Answer notAllowed = api.send(api.request("/api/v1/jobs").DELETE());
        assertThat(notAllowed.header("allow")).contains("GET").contains("POST");
        api.send(api.request("/api/v1/jobs").GET().header("accept", "text/csv")).problem(406);
        api.send(api.request("/api/v1/jobs")
                        .header("content-type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("hello")))
                .problem(415);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                | Unexpected end-of-input",
                "''               | a body of JSON is required",
                "{\"problems\":]} | Unexpected character",
                "nope             | Unrecognized token 'nope'"
            })
    void whatIsNoJsonIsSaidWithItsPlace(String body, String detail, Api api) {
        JsonNode problem = api.post("/api/v1/jobs", body).problem(400);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:malformed-json");
        assertThat(problem.get("detail").asString()).startsWith(detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u00a7',
            value = {
                "[]                                                     | : must be an object",
                "{}                                                     | /problems: is required",
                "{\"problems\":null}                                    | /problems: is required",
                "{\"problems\":{}}                                      | /problems: must be a list",
                "{\"problems\":[]}                                      | /problems: must have from 1 to 256 problems,"
                        + " got 0",
                "{\"problems\":[null]}                                  | /problems/0: is required",
                "{\"problems\":[{\"m\":\"12\"}]}                        | /problems/0/m: must be a whole number from"
                        + " -2147483648 to 2147483647",
                "{\"problems\":[{\"m\":1.5}]}                           | /problems/0/m: must be a whole number from"
                        + " -2147483648 to 2147483647, got 1.5",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64}],\"x\":1}  | /x: unknown property 'x'; known: budget,"
                        + " check, config, device, eachScheduler, family, kernels, name, parameters, peerBudget, peers, problems,"
                        + " schedulers, seed, space, strategy",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64,\"dtype\":\"bf17\"}]} | /problems/0/dtype: must be one of"
                        + " bf16, f16, f32, e4m3, e5m2, got 'bf17'",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64}],\"budget\":7}      | /budget: must be an object",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64,\"major\":{\"a\":\"n\",\"b\":\"k\",\"d\":\"n\"}}]} |"
                        + " /problems/0/major: major.a must be k or m: A is M x K, got n",
                "{\"problems\":[{\"groups\":[{\"m\":64}]}]}             | /problems/0/groups/0/n: is required",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64,\"dtype\":1}]} | /problems/0/dtype: must be one of bf16,"
                        + " f16, f32, e4m3, e5m2, got 1",
                "{\"name\":true,\"problems\":[{\"m\":64,\"n\":64,\"k\":64}]}   | /name: must be text, got true",
                "{\"name\":7,\"problems\":[{\"m\":64,\"n\":64,\"k\":64}]}      | /name: must be text, got 7",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64}],\"parameters\":{\"tile\\u0000\":[1]}} |"
                        + " /parameters/tile\0: must not have the character U+0000",
                "{\"name\":\"a\\ud800\",\"problems\":[{\"m\":64,\"n\":64,\"k\":64}]} | /name: must be Unicode, got"
                        + " half of a surrogate pair",
                "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64}],\"parameters\":{\"tileM\":[1.5]}} | /parameters/tileM/0:"
                        + " a parameter's value is a whole number or a name, got 1.5"
            })
    void whatHasTheWrongFormIsSaidWithItsPointer(String body, String error, Api api) {
        JsonNode problem = api.post("/api/v1/jobs", body).problem(422);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:invalid");
        assertThat(Api.errors(problem)).first().isEqualTo(error);
    }

    @Test
    void whatIsThereTwiceIsSaidWithItsPointer(Api api) {
        JsonNode problem = api.post("/api/v1/jobs", "{\"problems\":[{\"m\":64,\"n\":128,\"m\":256}]}")
                .problem(400);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:malformed-json");
        assertThat(Api.errors(problem))
                .singleElement()
                .asString()
                .startsWith("/problems/0/m: Duplicate")
                .contains("line 1, column ");
    }

    @Test
    void whoSendsTooMuchIsToldTheLimit(Api api) {
        Map<String, Object> heartbeat =
                Map.of("workerId", ID, "leases", Collections.nCopies(70_000, ID), "raced", List.of());
        assertThat(Api.errors(api.work("/api/v1/heartbeats", heartbeat).problem(422)))
                .containsExactly("/leases: must have at most 10000 leases, got 70000");
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce(Api api) {
        String body = """
            {"problems":[{"m":0,"n":64,"k":64},{"m":64,"n":64}],"family":"sm80-gemm","strategy":"guess","budget":{"trials":0,"seconds":-1},
             "device":"cuda:x","parameters":{"tileM":[]},"schedulers":["static","static"],"peerBudget":61}\
            """;
        assertThat(Api.errors(api.post("/api/v1/jobs", body).problem(422)))
                .containsExactly(
                        "/problems/0/m: must be at least 1, got 0",
                        "/problems/1/k: is required",
                        "/strategy: unknown strategy 'guess'; known: exhaustive, model, random",
                        "/budget/trials: must be from 1 to 100000, got 0",
                        "/budget/seconds: must be from 1 to 2592000, got -1",
                        "/device: unknown device 'cuda:x'; known: auto, cuda:N, cuda:all, simulated:h200,"
                                + " simulated:h100, simulated:b200, simulated:gb200, emulated, emulated:N",
                        "/peerBudget: must be from 0, no search, to 60 seconds, got 61.0",
                        "/family: unknown kernel family 'sm80-gemm'; known: sm90-gemm, sm100-gemm, cublaslt, toy",
                        "/parameters/tileM: must have at least one value",
                        "/schedulers: must be names, each once, got [static, static]");
    }

    @Test
    void anImpossibleProblemIsRefusedByItsFamily(Api api) {
        String toy = "{\"problems\":[{\"m\":64,\"n\":64,\"k\":64},{\"m\":64,\"n\":72,\"k\":100}],\"family\":\"toy\"}";
        assertThat(Api.errors(api.post("/api/v1/jobs", toy).problem(422)))
                .containsExactly("/problems/1: k must be a multiple of 8, got 100");
        JsonNode real = api.post("/api/v1/jobs", "{\"problems\":[{\"m\":2048,\"n\":1024,\"k\":770}]}")
                .problem(422);
        assertThat(Api.errors(real))
                .singleElement()
                .asString()
                .startsWith("/problems/0: ")
                .contains("770")
                .contains("16");
    }

    /** Where no device is known yet, it has the SMs of an H200. */
    @Test
    void notAllSmsMayBeHeld(Api api) {
        String problems =
                "{\"problems\":[{\"m\":64,\"n\":128,\"k\":256,\"scenario\":{\"busySms\":%d}}],\"family\":\"toy\",\"device\":\"%s\"}";
        assertThat(Api.errors(api.post("/api/v1/jobs", problems.formatted(132, "cuda"))
                        .problem(422)))
                .containsExactly(
                        "/problems/0/scenario/busySms: must be at most 131, one less than the 132 SMs of the device,"
                                + " got 132");
        assertThat(Api.errors(api.post("/api/v1/jobs", problems.formatted(4, "emulated"))
                        .problem(422)))
                .containsExactly(
                        "/problems/0/scenario/busySms: must be at most 3, one less than the 4 SMs of the device, got"
                                + " 4");
        assertThat(Api.errors(
                        api.post("/api/v1/jobs", problems.formatted(-1, "cuda")).problem(422)))
                .containsExactly("/problems/0/scenario: busySms must be at least 0, got -1");
        api.post("/api/v1/jobs", problems.formatted(131, "cuda")).expect(202);
    }

    /** Postgres takes any text but one with this character. */
    @Test
    void aTextWithANulIsRefused(Api api) {
        String body = """
            {"problems":[{"m":64,"n":128,"k":256}],"family":"toy","name":"a%sb"}\
            """.formatted("\\u0000");
        assertThat(Api.errors(api.post("/api/v1/jobs", body).problem(422)))
                .containsExactly("/name: must not have the character U+0000");
        assertThat(Api.errors(api.get("/api/v1/best?testbed=%00").problem(400)))
                .containsExactly("testbed: must not have control characters, got '%00'");
    }

    /** What values there are depends on the problem and on the device. */
    @Test
    void aValueThatOneOfTheProblemsHasNotIsNamedWithIt(Api api) {
        String job = """
            {"problems":[%s],"parameters":%s,"device":"%s"}\
            """;
        String two = """
            {"m":4096,"n":4096,"k":4096},{"m":64,"n":8192,"k":8192}\
            """;
        assertThat(Api.errors(api.post("/api/v1/jobs", job.formatted(two, "{\"clusterM\":[4]}", "simulated:h200"))
                        .problem(422)))
                .containsExactly(
                        "/parameters/clusterM/0: parameter 'clusterM' has no value 4 for 64x8192x8192; known: 1;"
                                + " family sm100-gemm has it");
        String one = """
            {"m":512,"n":512,"k":512}\
            """;
        assertThat(Api.errors(api.post("/api/v1/jobs", job.formatted(one, "{\"gridSize\":[128]}", "emulated"))
                        .problem(422)))
                .containsExactly("/parameters/gridSize/0: parameter 'gridSize' has no value 128; known: 0");
    }

    @Test
    void unknownParametersAndValuesAreNamedWithWhatIsKnown(Api api) {
        String body = """
            {"problems":[{"m":64,"n":128,"k":256}],"family":"toy","schedulers":["single","clc"],"parameters":{"tileQ":[1],"tileM":[64,65]}}\
            """;
        assertThat(Api.errors(api.post("/api/v1/jobs", body).problem(422)))
                .containsExactlyInAnyOrder(
                        "/parameters/tileQ: family toy has no parameter 'tileQ'; known: scheduler, tileM, tileN,"
                                + " rasterGroup",
                        "/parameters/tileM/1: parameter 'tileM' has no value 65; known: 64, 128, 256",
                        "/schedulers/1: parameter 'scheduler' has no value clc; known: single, static; family"
                                + " sm100-gemm has it");
    }

    @Test
    void anEmptySpaceNamesTheRulesThatEmptiedIt(Api api) {
        String body = """
            {"problems":[{"m":64,"n":128,"k":256}],"family":"toy","parameters":{"tileM":[256],"tileN":[128]}}\
            """;
        JsonNode problem = api.post("/api/v1/jobs", body).problem(422);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:empty-space");
        assertThat(Api.errors(problem))
                .containsExactly("/problems/0: no config keeps every rule: accumulator: 32768 elements are"
                        + " more than 16384 (tileM=256 tileN=128)");
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).isEmpty();
    }

    @Test
    void bodiesHaveALimitAnnouncedOrNot(Api api) {
        String large = "{\"name\":\"" + "x".repeat(1 << 20) + "\"}";
        JsonNode announced = api.post("/api/v1/jobs", large).problem(413);
        assertThat(announced.get("detail").asString()).isEqualTo("the body must have at most 1048576 bytes");
        InputStream stream = new ByteArrayInputStream(large.getBytes(StandardCharsets.UTF_8));
        api.send(api.request("/api/v1/jobs")
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofInputStream(() -> stream)))
                .problem(413);
    }

    @Test
    void deeplyNestedJsonIsRefused(Api api) {
        assertThat(api.post("/api/v1/jobs", "[".repeat(100_000)).status()).isIn(400, 422);
    }

    @Test
    void workersNeedTheirToken(Api api) {
        for (String path : List.of("/api/v1/workers", "/api/v1/leases", "/api/v1/heartbeats", "/api/v1/reports")) {
            Api.Answer without = api.post(path, "{}");
            without.problem(401);
            assertThat(without.header("www-authenticate")).isEqualTo("Bearer");
            api.post(path, "{}", "authorization", "Basic dXNlcg==").problem(401);
            api.post(path, "{}", "authorization", "Bearer wrong").problem(403);
            assertThat(api.work(path, Map.of()).status()).isEqualTo(422);
        }
    }

    @Test
    void aWorkersBodyMustBeWhole(Api api) {
        assertThat(Api.errors(api.work("/api/v1/workers", Map.of("pid", 1)).problem(422)))
                .contains(
                        "/workerId: is required",
                        "/host: is required",
                        "/devices: is required",
                        "/families: is required");
        assertThat(Api.errors(api.work("/api/v1/reports", Map.of()).problem(422)))
                .containsExactly("/reports: is required");
        Map<String, Object> other = Map.of("type", "other", "fence", 1);
        assertThat(Api.errors(api.work("/api/v1/reports", Map.of("reports", List.of(entry(other))))
                        .problem(422)))
                .singleElement()
                .asString()
                .startsWith("/reports/0/report");
        Map<String, Object> noReason = Map.of("type", "refused", "fence", 1);
        assertThat(Api.errors(api.work("/api/v1/reports", Map.of("reports", List.of(entry(noReason))))
                        .problem(422)))
                .containsExactly("/reports/0/report/reason: is required");
    }

    private static Map<String, Object> entry(Map<String, Object> report) {
        return Map.of("leaseId", ID, "report", report);
    }

    /** A full batch of reports with long logs is larger than any body that a user may send. */
    @Test
    void aBatchHasFrom1To64ReportsAndMayBeLarge(Api api) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        ReportBatch.LeaseReport large =
                new ReportBatch.LeaseReport(UUID.fromString(ID), new Report.Refused(1, "x".repeat(200_000)));
        assertThat(worker.work("/api/v1/reports", new ReportBatch(Collections.nCopies(64, large)))
                        .expect(200)
                        .get("refused"))
                .hasSize(64)
                .allSatisfy(refused -> {
                    assertThat(refused.get("leaseId").asString()).isEqualTo(ID);
                    assertThat(refused.get("type").asString()).isEqualTo("urn:tilewright:problem:not-found");
                    assertThat(refused.get("status").asInt()).isEqualTo(404);
                    assertThat(refused.get("detail").asString()).isEqualTo("there is no lease " + ID);
                });
        ReportBatch.LeaseReport small =
                new ReportBatch.LeaseReport(UUID.fromString(ID), new Report.Refused(1, "another build"));
        for (int size : List.of(0, 65)) {
            assertThat(Api.errors(worker.work("/api/v1/reports", new ReportBatch(Collections.nCopies(size, small)))
                            .problem(422)))
                    .containsExactly("/reports: must have from 1 to 64 reports, got " + size);
        }
    }

    @Test
    void whatIsNoHttpIsAnsweredInTheSameShape(Api api) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", api.uri("/").getPort())) {
            socket.getOutputStream()
                    .write("GET /%ZZ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 400")
                    .contains("application/problem+json")
                    .contains("\"status\":400");
        }
    }
}
