package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A service as it is by default, while one address opens 10,000 connections and sends the beginning of a request on
 * each, or as many as the file limit of the machine allows.
 */
@Tag("alone")
@Tag("full")
class HalfOpenConnectionsTest {

    private static final Path REPORT = Path.of("../docs/results/service/half-open.md");
    private static final int MAX_CONNECTIONS = 10_000;
    /** For Postgres, archives and what else is open. */
    private static final int OTHER_FILES = 1_000;

    private static final int CALLS_AFTER = 500;
    private static final double LIMIT_MS = 50;

    /** Both ends are in this process, and of one address the service holds an eighth of the files at most. */
    private static int connections() {
        UnixOperatingSystemMXBean unix = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long files = unix.getMaxFileDescriptorCount();
        return (int) Math.min(MAX_CONNECTIONS, files - files / 8 - unix.getOpenFileDescriptorCount() - OTHER_FILES);
    }

    @Test
    void anotherAddressIsServedMeanwhile() throws Exception {
        int count = connections();
        assertThat(count).as("the file limit of this machine is too low to try").isGreaterThan(1_000);
        List<Socket> held = new ArrayList<>();
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            RawHttp http = new RawHttp(service.api().uri("/").getPort());
            List<Double> before = calls(http, CALLS_AFTER);
            CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> open(http, count, held));
            List<Double> during = new ArrayList<>();
            while (!flood.isDone()) {
                during.addAll(calls(http, 1));
            }
            flood.get();
            List<Double> after = calls(http, CALLS_AFTER);
            // Who was refused finds the end of the connection, who was not finds nothing yet.
            long kept = held.stream().filter(HalfOpenConnectionsTest::isOpen).count();
            String report = """
                    # Half-open connections

                    %d connections from 127.0.0.1 with half a request each, of which the service keeps %d; `GET /api/v1/best` from 127.0.0.2 over a
                    new connection each. The service, the clients and Postgres share %d cores. Written by `./tilewright test --figures`.

                    | | calls | median ms | p99 ms | longest ms |
                    | --- | ---: | ---: | ---: | ---: |
                    %s%s%s""".formatted(
                            count,
                            kept,
                            Runtime.getRuntime().availableProcessors(),
                            row("before", before),
                            row("while they are opened", during),
                            row("while they are open", after));
            System.out.print(report);
            Files.createDirectories(REPORT.getParent());
            Files.writeString(ResultFile.of(REPORT), report);
            assertThat(quantile(during, 0.99)).as(report).isLessThan(LIMIT_MS);
            assertThat(quantile(after, 0.99)).as(report).isLessThan(LIMIT_MS);
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    /** Opens connections and holds them. */
    private static void open(RawHttp http, int count, List<Socket> held) {
        for (int i = 0; i < count; i++) {
            try {
                Socket half = http.connect("127.0.0.1");
                held.add(half);
                half.getOutputStream()
                        .write("GET /api/v1/best HTTP/1.1\r\nHost: localhost\r\nX: "
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException refused) {
                // The address holds as many as it may; the next one is tried all the same.
            }
        }
    }

    private static boolean isOpen(Socket half) {
        try {
            half.setSoTimeout(1);
            half.getInputStream().read();
            return false;
        } catch (SocketTimeoutException nothingYet) {
            return true;
        } catch (IOException reset) {
            return false;
        }
    }

    private static List<Double> calls(RawHttp http, int count) throws IOException {
        List<Double> ms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            RawHttp.Answer answer = http.best("127.0.0.2");
            ms.add((System.nanoTime() - start) / 1e6);
            assertThat(answer.status()).as(answer.head() + answer.body()).isEqualTo(200);
        }
        return ms;
    }

    private static String row(String when, List<Double> ms) {
        return "| %s | %d | %.1f | %.1f | %.1f |%n"
                .formatted(when, ms.size(), quantile(ms, 0.5), quantile(ms, 0.99), quantile(ms, 1));
    }

    private static double quantile(List<Double> ms, double part) {
        List<Double> sorted = ms.stream().sorted().toList();
        return sorted.get((int) Math.max(0, Math.ceil(part * sorted.size()) - 1));
    }
}
