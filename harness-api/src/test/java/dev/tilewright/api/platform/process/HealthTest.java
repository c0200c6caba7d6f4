package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What health says of a Postgres that stands still: it neither answers nor refuses. */
class HealthTest {

    /** Far longer than the few seconds that it takes, and far shorter than Postgres stands still. */
    private static final double BOUNDED_MS = 30_000;

    @Test
    void healthIsTrueWithinABoundedTimeWhateverTheDatabaseDoes() throws Exception {
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            assertThat(database(service, 200).get("status").asString()).isEqualTo("UP");
            List<ProcessHandle> postgres = postgres(service);
            signal("STOP", postgres);
            try {
                long begin = System.nanoTime();
                JsonNode away = database(service, 503);
                assertThat((System.nanoTime() - begin) / 1e6).isLessThan(BOUNDED_MS);
                assertThat(away.get("status").asString()).isEqualTo("DOWN");
                assertThat(away.at("/details/error").asString()).isNotBlank();
                assertThat(service.api().get("/actuator/health/readiness").status())
                        .isEqualTo(503);
                assertThat(service.api().get("/actuator/health/liveness").status())
                        .isEqualTo(200);
                Api.Answer jobs = service.api().get("/api/v1/jobs");
                jobs.problem(503);
                assertThat(jobs.header("retry-after")).isEqualTo("1");
            } finally {
                signal("CONT", postgres);
            }
            Awaiting.until(() -> service.api().get("/actuator/health").status() == 200);
        }
    }

    private static JsonNode database(Service service, int status) {
        return service.api().get("/actuator/health").expect(status).at("/components/db");
    }

    private static List<ProcessHandle> postgres(Service service) throws IOException {
        long pid = Long.parseLong(Files.readAllLines(service.home().resolve("postgres/postmaster.pid"))
                .getFirst()
                .strip());
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        Stream<String> pids = processes.stream().map(process -> Long.toString(process.pid()));
        List<String> command =
                Stream.concat(Stream.of("kill", "-" + name), pids).toList();
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
