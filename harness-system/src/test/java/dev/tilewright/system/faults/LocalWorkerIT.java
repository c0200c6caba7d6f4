package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The local worker is killed, and then the runner of its successor: the service says so and works again. */
class LocalWorkerIT {

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("local-worker");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void comesBackWhenItAndTheRunnerOfItsSuccessorAreKilled() throws Exception {
        Process service = installation.serve();
        installation.await("a worker that runs", () -> health("running"));
        ProcessHandle worker = installation.await("the worker", installation::worker);
        ProcessHandle runner = installation.await("its runner", installation::runner);

        assertThat(worker.destroyForcibly()).isTrue();
        ProcessHandle next = installation.await(
                "the runner of another worker",
                () -> installation
                        .runner()
                        .filter(found -> found.pid() != runner.pid())
                        .filter(found -> found.parent()
                                .filter(parent -> parent.pid() != worker.pid())
                                .isPresent()));
        assertThat(next.destroyForcibly()).isTrue();

        JsonNode details = installation.await(
                "a worker that runs again",
                () -> health("running").filter(now -> now.get("restarts").asInt() > 0));
        assertThat(details.get("detail").asString()).contains("before, the local worker ended with exit code ");
        assertThat(installation.get("/actuator/health").get("status").asString())
                .isEqualTo("UP");
        Path heartbeat = installation.home().resolve("heartbeat");
        Files.deleteIfExists(heartbeat);
        installation.await(
                "a heartbeat that was answered", () -> Optional.of(heartbeat).filter(Files::exists));
        assertThat(Files.readString(installation.home().resolve("serve.log")))
                .contains("the local worker ended with exit code 137")
                .contains("the local worker is back");

        service.destroy();
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
        FileSystemUtils.deleteRecursively(installation.home());
    }

    /** Nobody has to start anything for the page that checks what is pasted. */
    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void provesWhatIsPastedBesideItsOwnDevice() throws Exception {
        Process service = installation.serve();
        installation.await("a worker that runs", () -> health("running"));
        assertThat(installation.get("/api/v1/workers").findValuesAsString("label"))
                .containsExactlyInAnyOrder("simulated:h200", "emulated");
        assertThat(installation.runners())
                .as("an emulator that has nothing to do is not even there")
                .isEqualTo(1);
        Path examples = Path.of("../docs/examples/check");
        JsonNode asked = installation.post(
                "/api/v1/text-checks",
                JsonMapper.shared()
                        .writeValueAsString(Map.of(
                                "ptx", Files.readString(examples.resolve("simt-gemm.ptx")),
                                "launch", Files.readString(examples.resolve("simt-gemm.yaml")))));
        JsonNode done = installation.await(
                "a finding",
                () -> Optional.of(installation.get(
                                "/api/v1/text-checks/" + asked.get("id").asString()))
                        .filter(check -> check.get("state").asString().equals("finished")));
        assertThat(done.get("result").get("verdict").asString()).isEqualTo("proved");

        service.destroy();
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
        FileSystemUtils.deleteRecursively(installation.home());
    }

    private Optional<JsonNode> health(String state) throws IOException, InterruptedException {
        JsonNode details = installation.get("/actuator/health/localWorker").get("details");
        return details.get("state").asString().equals(state) ? Optional.of(details) : Optional.empty();
    }
}
