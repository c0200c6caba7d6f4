package dev.tilewright.worker.link.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Why an API was not reached is said in words, with its address. */
@Timeout(60)
class ApiClientTest {

    private static void assertUnreachable(String base, String reason) {
        try (ApiClient client = new ApiClient(URI.create(base), null, Trust.ofJava())) {
            assertThatThrownBy(() -> client.get("/api/v1/jobs", String.class))
                    .isInstanceOf(NotReachedException.class)
                    .hasMessage("cannot reach " + base + ": " + reason);
        }
    }

    @Test
    void aPortWhereNobodyListens() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertUnreachable("http://127.0.0.1:" + port, "connection refused");
    }

    @Test
    void aHostThatNobodyKnows() {
        assertUnreachable("http://no-such-host.invalid:8080", "its host name is unknown");
    }

    /** The head of an answer, and of its body nothing: a proxy whose own server has gone. */
    @Test
    void anAnswerThatStalls() throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CountDownLatch over = new CountDownLatch(1);
            Thread stalling = Thread.ofVirtual().start(() -> answerHead(server, over));
            String base = "http://127.0.0.1:" + server.getLocalPort();
            try (ApiClient client = new ApiClient(URI.create(base), null, Trust.ofJava(), Duration.ofMillis(300))) {
                assertThatThrownBy(() -> client.get("/api/v1/jobs", String.class))
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(NotReachedException.class)
                        .hasMessage("cannot reach " + base + ": its answer has not come to its end in time");
            }
            over.countDown();
            stalling.join();
        }
    }

    private static void answerHead(ServerSocket server, CountDownLatch over) {
        try (Socket client = server.accept()) {
            client.getInputStream().read();
            client.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n".getBytes(UTF_8));
            client.getOutputStream().flush();
            over.await();
        } catch (IOException | InterruptedException gone) {
            throw new IllegalStateException(gone);
        }
    }
}
