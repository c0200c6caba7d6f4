package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.LeaseRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many statements a service runs while nothing happens, by the log of its Postgres. */
@Tag("alone")
class IdleServiceTest {

    /** First looks of devices and loops are over. */
    private static final Duration SETTLED = Duration.ofSeconds(15);

    /** Every device and every loop looks once in it. */
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** A test of a connection is an empty statement, which is none. */
    private static final Pattern STATEMENT = Pattern.compile("LOG: {2}(execute [^:]*|statement): *\\S.*");

    private interface Step {
        void run() throws InterruptedException;
    }

    private static void repeat(ExecutorService threads, Step step) {
        threads.execute(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    step.run();
                }
            } catch (InterruptedException | IllegalStateException end) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static long statements(Service service) throws IOException {
        try (var lines = Files.lines(service.home().resolve("logs").resolve("postgres.log"))) {
            return lines.filter(line -> STATEMENT.matcher(line).find()).count();
        }
    }

    private static void log(Service service, String which) {
        service.jdbc().sql("alter system set log_statement = '" + which + "'").update();
        service.jdbc().sql("select pg_reload_conf()").query(Boolean.class).single();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "64, 70"})
    void anIdleServiceIsQuiet(int devices, int mostPerSecond) throws Exception {
        try (Service service = RunningService.start(Map.of("tilewright.test.clock", "machine"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Api api = new Api(service.api().uri("").toString());
            List<ScriptedWorker> workers = IntStream.range(0, devices)
                    .mapToObj(gpu -> ScriptedWorker.cuda(api, gpu))
                    .toList();
            for (ScriptedWorker worker : workers) {
                LeaseRequest request = new LeaseRequest(worker.id(), worker.device(), 4, LeaseRequest.MAX_WAIT_MS);
                repeat(threads, () -> worker.work("/api/v1/leases", request).expect(200));
                repeat(threads, () -> {
                    Thread.sleep(HEARTBEAT);
                    worker.heartbeat();
                });
            }
            log(service, "all");
            Thread.sleep(SETTLED);
            long before = statements(service);
            Thread.sleep(WINDOW);
            long ran = statements(service) - before;
            threads.shutdownNow();
            assertThat(ran).isLessThanOrEqualTo(mostPerSecond * WINDOW.toSeconds());
        }
    }
}
