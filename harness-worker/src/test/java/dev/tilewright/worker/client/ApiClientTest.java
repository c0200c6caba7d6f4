package dev.tilewright.worker.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Why an API was not reached is said in words, with its address. */
@Timeout(60)
class ApiClientTest {

    private static void assertUnreachable(String base, String reason) {
        try (ApiClient client = new ApiClient(URI.create(base), null)) {
            assertThatThrownBy(() -> client.get("/api/v1/jobs", String.class))
                    .isInstanceOf(IOException.class)
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
}
