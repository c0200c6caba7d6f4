package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code token} against an API that answers from a script. */
@Timeout(60)
class TokenCommandTest {

    @TempDir
    private Path folder;

    private final List<String> asked = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();
    private HttpServer server;
    private int status = 200;
    private String answer = "";

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/tokens", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Authorization") + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private int token(String... words) throws IOException {
        Path secret = Files.writeString(folder.resolve("operator"), "the-operator\n");
        List<String> arguments = new ArrayList<>(List.of("token"));
        arguments.addAll(Arrays.asList(words));
        arguments.addAll(
                List.of("--api", "http://127.0.0.1:" + server.getAddress().getPort(), "--token", "@" + secret));
        CommandLine line = RootCommand.commandLine(
                Map.of(),
                new TokenCommand(
                        Map.of(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(notices, true, StandardCharsets.UTF_8)));
        return line.setErr(new PrintWriter(errors, true)).execute(arguments.toArray(String[]::new));
    }

    @Test
    void aNewTokenStandsAloneOnStandardOutput() throws IOException {
        status = 201;
        answer = "{\"name\":\"ci\",\"role\":\"submitter\",\"createdAt\":\"2026-11-24T08:00:00Z\",\"token\":\"ab12\"}";
        assertThat(token("create", "ci", "--role", "submitter")).isZero();

        assertThat(asked)
                .containsExactly("POST /api/v1/tokens Bearer the-operator {\"name\":\"ci\",\"role\":\"submitter\"}");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("ab12" + System.lineSeparator());
        assertThat(notices.toString(StandardCharsets.UTF_8)).contains("token 'ci' (submitter)");
    }

    @Test
    void listsNamesAndRoles() throws IOException {
        answer = "{\"items\":[{\"name\":\"ci\",\"role\":\"submitter\",\"createdBy\":\"(operator)\","
                + "\"createdAt\":\"2026-11-24T08:00:00Z\"}]}";
        assertThat(token("list")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("ci    submitter  (operator)  2026-11-24T08:00:00Z");
    }

    @Test
    void revokesByName() throws IOException {
        status = 204;
        assertThat(token("revoke", "ci")).isZero();

        assertThat(asked).containsExactly("DELETE /api/v1/tokens/ci Bearer the-operator ");
    }

    @Test
    void saysWhatTheServiceSays() throws IOException {
        status = 403;
        answer =
                "{\"status\":403,\"detail\":\"the token 'ci' has the role submitter; GET /api/v1/tokens needs operator\"}";
        assertThat(token("list")).isEqualTo(2);

        assertThat(errors.toString())
                .isEqualTo(
                        "tilewright token list: the token 'ci' has the role submitter; GET /api/v1/tokens needs operator"
                                + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/role | \"must be one of reader, submitter, operator, worker, got 'boss'\" | --role",
                "/name | \"must be 1 to 64 letters, digits, '.', '_' or '-', got 'a b'\" | NAME",
            })
    void whatIsWrongIsNamedAsItWasTyped(String pointer, String detail, String typed) throws IOException {
        status = 400;
        answer = """
                {"status":400,"detail":"%1$s: %2$s","errors":[{"pointer":"%1$s","detail":"%2$s"}]}""".formatted(pointer, detail);
        assertThat(token("create", "a b", "--role", "boss")).isEqualTo(2);

        assertThat(errors.toString())
                .isEqualTo("tilewright token create: " + typed + ": " + detail + System.lineSeparator());
    }

    @Test
    void helpOfEachVerbShowsHowTheServiceIsFound() throws IOException {
        for (String verb : List.of("create", "list", "revoke")) {
            assertThat(token(verb, "--help")).isZero();
        }
    }
}
