package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** What web pages and other strangers on the same machine send to a service that asks nobody for a token. */
@ExtendWith(RunningService.class)
class StrangersTest {

    private static RawHttp.Answer ask(Api api, String head, String body) throws IOException {
        String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
        return new RawHttp(api.uri("/").getPort()).ask(head + length + "Connection: close\r\n\r\n" + body);
    }

    private static JsonNode problem(Api api, RawHttp.Answer answer, int status) {
        assertThat(answer.status()).as(answer.head() + answer.body()).isEqualTo(status);
        assertThat(answer.head()).contains("application/problem+json");
        return api.mapper().readTree(answer.body());
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,             200",
        "LocalHost:1,           200",
        "127.0.0.1:8080,        200",
        "127.9.9.9,             200",
        "[::1]:8080,            200",
        "evil.example,          421",
        "evil.example:8080,     421",
        "localhost.evil.example, 421",
        "127.0.0.1.evil.example, 421",
        "10.0.0.1,              421",
        "[::2],                 421"
    })
    void theServiceIsAskedForUnderItsOwnNameAlone(String host, int status, Api api) throws IOException {
        RawHttp.Answer answer = ask(api, "GET /api/v1/jobs HTTP/1.1\r\nHost: " + host + "\r\n", "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        if (status != 200) {
            assertThat(Api.errors(problem(api, answer, status)))
                    .singleElement()
                    .asString()
                    .startsWith("Host: must be an address of this service")
                    .endsWith("got '" + host + "'");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Origin: http://evil.example,        403",
        "Origin: null,                       403",
        "Origin: http://127.0.0.1:3000,      403",
        "Sec-Fetch-Site: cross-site,         403",
        "Sec-Fetch-Site: same-site,          403",
        "Origin: http://127.0.0.1:8080,      200",
        "Sec-Fetch-Site: same-origin,        200",
        "Sec-Fetch-Site: none,               200"
    })
    void pagesOfOthersChangeNothing(String header, int status, Api api) throws IOException {
        String id = api.submit("cuda", "random", 8, "640x384x256");
        String head = " /api/v1/jobs/" + id + "%s HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n" + header + "\r\n";
        RawHttp.Answer answer = ask(api, "POST" + head.formatted("/cancel"), "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(api.job(id).get("state").asString()).isEqualTo(status == 200 ? "cancelled" : "queued");
        assertThat(ask(api, "GET" + head.formatted(""), "").status())
                .as("a browser keeps what is read to itself")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain\r\n",
                "Content-Type: application/x-www-form-urlencoded\r\n",
                "Content-Type: multipart/form-data; boundary=x\r\n",
                "Content-Type: application/json;;charset\r\n",
                "Content-Type: application/json; charset=utf-16\r\n",
                ""
            })
    void whatAPageMaySendUnaskedIsRefusedEverywhere(String type, Api api) throws IOException {
        String id = api.submit("cuda", "random", 8, "640x384x256");
        for (String path : List.of("/api/v1/jobs/" + id + "/cancel", "/api/v1/jobs", "/api/v1/leases", "/nope")) {
            String head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + type;
            problem(api, ask(api, head, "{\"problems\":[{\"m\":64,\"n\":128,\"k\":256}]}"), 415);
        }
        assertThat(api.job(id).get("state").asString()).isEqualTo("queued");
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).hasSize(1);
    }

    @Test
    void whoWantsNoJsonIsRefusedBeforeAnythingIsDone(Api api) {
        String job = "{\"problems\":[{\"m\":64,\"n\":128,\"k\":256}],\"family\":\"toy\"}";
        api.post("/api/v1/jobs", job, "accept", "text/csv").problem(406);
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).isEmpty();
        api.post("/api/v1/jobs", job, "accept", "text/html, application/*;q=0.5")
                .expect(202);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/best?shape=%c0%ae      | shape: must be UTF-8, got '%c0%ae'",
                "/api/v1/best?%zz               | %zz: must have two hexadecimal digits after each %, got '%zz'",
                "/api/v1/best?shape=%4          | shape: must have two hexadecimal digits after each %, got '%4'",
                "/api/v1/best?=                 | : a parameter must have a name",
                "/api/v1/best?shape=%1b%5b31m   | shape: must not have control characters, got '%1b%5b31m'",
                "/api/v1/best?state=            | state: unknown parameter 'state'; known: batch, dtype, epilogue, family, major, nearest, overlap, scales, shape, testbed, types",
                "/api/v1/jobs?order=name        | order: unknown parameter 'order'; known: cursor, device, limit, name, sort, state, submittedBy",
                "/api/v1/jobs?limit=1&limit=2   | limit: must be given once, got [1, 2]",
                "/api/v1/jobs/x/result?name=y   | name: unknown parameter 'name'; known: from, trials",
                "/api/v1/studies/x?name=y       | name: unknown parameter 'name'; this path takes none"
            })
    void aQueryIsReadExactly(String target, String error, Api api) throws IOException {
        RawHttp.Answer answer = ask(api, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n", "");
        JsonNode problem = problem(api, answer, 400);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:malformed-request");
        assertThat(Api.errors(problem)).containsExactly(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/..;/jobs",
                "/api/v1;x=1/jobs",
                "//api/v1/jobs",
                "/api/./v1/jobs",
                "/api/v1/%2e%2e/jobs",
                "/api/v1/jobs/%c0%ae",
                "/api/v1/jobs/%zz",
                "/api/v1/jobs/%0a",
                "/api/v1/jobs/..%2f"
            })
    void aPathLeadsNowhereElse(String path, Api api) throws IOException {
        problem(api, ask(api, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n", ""), 400);
    }

    /** As the appender of a service that runs by itself writes it. */
    @Test
    void noControlCharacterReachesTheLog() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>) root.getAppender("CONSOLE");
        String hostile = "x\u001b[2J\r\n12:00:00.000 ERROR Forged: y\u0007\u009b1m\u2028z";
        ILoggingEvent event =
                new LoggingEvent("logger", root, Level.WARN, hostile, new IllegalStateException(hostile), null);
        String written = new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
        assertThat(written.lines().findFirst().orElseThrow()).endsWith("x?[2J?12:00:00.000 ERROR Forged: y?1m?z");
        assertThat(written.chars().filter(Character::isISOControl)).containsOnly((int) '\n', (int) '\t');
    }
}
