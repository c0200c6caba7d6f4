package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.tilewright.worker.cli.service.LocalService;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.home.Home;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long a service elsewhere is waited for: a while if it was heard of before, else not. */
@Timeout(30)
class ConnectionTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    /** With a service that was heard of before. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();

    private Connection to(String base, Duration patience) {
        PrintStream stream = new PrintStream(notices, true, StandardCharsets.UTF_8);
        return Connection.remote(URI.create(base), null, Trust.ofJava(), patience, stream);
    }

    private static ThrowingCallable asking(Connection connection) {
        return () -> connection.send(api -> api.get("/api/v1/jobs", Object.class));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private void assertGivenUpSoon(String base, String reason) {
        try (Connection connection = to(base, LONG)) {
            assertThatThrownBy(asking(connection))
                    .isInstanceOfSatisfying(
                            CommandFailedException.class,
                            failed -> assertThat(failed.exit()).isEqualTo(ExitCode.INFRASTRUCTURE))
                    .hasMessage("--api: cannot reach " + base + ": " + reason + "; does a service run there?");
        }
        assertThat(notices.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("cannot reach " + base + ": " + reason + "; trying for 3 s");
    }

    @Test
    void whereNobodyEverAnsweredNobodyIsWaitedForLong() throws IOException {
        assertGivenUpSoon("http://127.0.0.1:" + freePort(), "connection refused");
    }

    @Test
    void aHostThatNobodyKnowsIsNotWaitedForLong() {
        assertGivenUpSoon("http://no-such-host.invalid:8080", "its host name is unknown");
    }

    @Test
    void aServiceThatStartsWithinThatTimeIsMet() throws IOException, ApiRefusedException, InterruptedException {
        int port = freePort();
        Thread late = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(1000);
                answering(port, 200);
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        });
        try (Connection connection = to("http://127.0.0.1:" + port, LONG)) {
            String answer = connection.send(api -> api.get("/", String.class));

            assertThat(answer).isEqualTo("here");
        }
        late.join();
    }

    /** As after {@code serve --login}. */
    @Test
    void theTokenThatTheServiceOfThisHomeHasDrawnIsShown(@TempDir Path folder) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String shown = exchange.getRequestHeaders().getFirst("Authorization");
            byte[] body = ("\"" + shown + "\"").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Home home = new Home(folder);
        Path token = Files.writeString(folder.resolve("user.token"), "drawn\n");
        for (String named : List.of("\"" + token + "\"", "null")) {
            Files.writeString(
                    home.serviceFile(),
                    "{\"url\":\"http://127.0.0.1:%d\",\"pid\":%d,\"startedAt\":\"%s\",\"userToken\":%s}"
                            .formatted(
                                    server.getAddress().getPort(),
                                    ProcessHandle.current().pid(),
                                    Instant.now(),
                                    named));
            assertThat(shown(home, null)).isEqualTo(named.equals("null") ? "null" : "Bearer drawn");
            assertThat(shown(home, "given")).isEqualTo("Bearer given");
        }
        server.stop(0);
    }

    private String shown(Home home, @Nullable String given) throws ApiRefusedException, InterruptedException {
        PrintStream stream = new PrintStream(notices, true, StandardCharsets.UTF_8);
        try (Connection connection =
                Connection.local(new LocalService(home, Optional.empty(), "simulated:h200", stream), given, stream)) {
            return connection.send(api -> api.get("/", String.class));
        }
    }

    @Test
    void aServiceThatAnsweredOnceMayRestart() throws IOException, ApiRefusedException, InterruptedException {
        int port = freePort();
        HttpServer server = answering(port, 200);
        try (Connection connection = to("http://127.0.0.1:" + port, PATIENCE)) {
            connection.send(api -> api.get("/", String.class));
            server.stop(0);

            assertThatThrownBy(asking(connection))
                    .hasMessageStartingWith("the service has been away for 1 s: cannot reach http://127.0.0.1:");
        }
    }

    /** As that of a proxy whose service is about to start. */
    @Test
    void anAnswerOf503IsAnAnswer() throws IOException {
        int port = freePort();
        HttpServer server = answering(port, 503);
        try (Connection connection = to("http://127.0.0.1:" + port, PATIENCE)) {
            assertThatThrownBy(asking(connection))
                    .hasMessageContaining("has been away for 1 s")
                    .hasMessageContaining("503");
        } finally {
            server.stop(0);
        }
    }

    private static HttpServer answering(int port, int status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = "\"here\"".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }
}
