package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.tilewright.worker.cli.board.JobProgress;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream that is lost for good. */
@Timeout(60)
class JobWatchTest {

    private HttpServer server;
    private int status = 200;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(status, 0);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void watch() throws ApiRefusedException, InterruptedException {
        URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (Connection connection = Connection.remote(base, null, Trust.ofJava(), Duration.ofSeconds(1), System.out)) {
            new JobWatch(connection, new UUID(0, 1), new JobProgress(List.of(), List.of(), false, null, null))
                    .toItsEnd(now -> {});
        }
    }

    @Test
    void aStreamThatAlwaysEndsTooSoonEndsInInfrastructure() {
        assertThatThrownBy(this::watch)
                .isInstanceOfSatisfying(
                        CommandFailedException.class,
                        failed -> assertThat(failed.exit()).isEqualTo(ExitCode.INFRASTRUCTURE))
                .hasMessage("the service has been away for 1 s: the stream of events was ended");
    }

    @Test
    void aServiceThatAnswers503IsAway() {
        status = 503;

        assertThatThrownBy(this::watch)
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("answers 503");
    }

    @Test
    void aServiceThatDoesNotKnowTheJobIsNotAskedAgain() {
        status = 404;

        assertThatThrownBy(this::watch).isInstanceOf(ApiRefusedException.class);
    }
}
