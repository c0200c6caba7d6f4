package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker of this machine that is coming up has its time, and no other. */
@Timeout(60)
class DeviceCheckTest {

    private static final String JOB = "00000000-0000-4000-8000-000000000099";

    private final Queue<String> workerStates = new ArrayDeque<>();
    private final Queue<String> offers = new ArrayDeque<>();
    private final List<String> cancels = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private HttpServer server;

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
        String path = exchange.getRequestURI().getPath();
        if (path.endsWith("/cancel")) {
            cancels.add(path);
        }
        String body = path.startsWith("/actuator")
                ? "{\"status\":\"UP\",\"details\":{\"state\":\"" + workerStates.remove() + "\",\"restarts\":0}}"
                : path.endsWith("/cancel") ? job("[]") : job(offers.remove());
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String job(String offered) {
        return "{\"id\":\"" + JOB + "\",\"state\":\"queued\",\"offered\":" + offered + ",\"studies\":[]}";
    }

    private void check(String device, boolean remote) throws Exception {
        PrintStream notices = new PrintStream(said, true, StandardCharsets.UTF_8);
        try (Connection connection = Connection.remote(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), null, Trust.ofJava(), notices)) {
            new DeviceCheck(connection, DeviceSelector.parse(device), remote, notices)
                    .require(Json.mapper().readValue(job("[]"), JobDocument.class));
        }
    }

    @Test
    void aWorkerThatIsComingUpIsWaitedFor() throws Exception {
        workerStates.addAll(List.of("STARTING", "STARTING", "RUNNING"));
        offers.addAll(List.of("[]", "[]", "[\"simulated:b200\"]"));
        check("simulated:b200", false);
        assertThat(cancels).isEmpty();
        assertThat(workerStates).isEmpty();
    }

    @Test
    void aWorkerThatIsUpAndOffersAnotherDeviceIsNot() {
        workerStates.addAll(List.of("STARTING", "RUNNING"));
        offers.addAll(List.of("[]", "[\"simulated:h200\"]"));
        assertThatThrownBy(() -> check("simulated:b200", false))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageStartingWith("no worker offers simulated:b200; offered: simulated:h200; ");
        assertThat(cancels).hasSize(1);
    }

    @Test
    void aServiceElsewhereIsNotWaitedFor() {
        assertThatThrownBy(() -> check("cuda:0", true))
                .hasMessageStartingWith("no worker offers cuda:0; no worker offers any device; ");
        assertThat(cancels).hasSize(1);
    }
}
